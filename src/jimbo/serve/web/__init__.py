"""The page in a browser: play with an adviser at your side, trainings as they run, seeds, models, and this machine."""

from jimbo.extras import check_installed

check_installed(("starlette", "uvicorn"), "web")
