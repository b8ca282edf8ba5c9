from jimbo.serve.events.aggregator import BatchStats as BatchStats
from jimbo.serve.events.aggregator import EventAggregator as EventAggregator
from jimbo.serve.events.app import EventApp as EventApp
from jimbo.serve.events.server import ServerSettings as ServerSettings
from jimbo.serve.events.server import run_server as run_server
