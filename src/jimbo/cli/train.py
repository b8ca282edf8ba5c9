"""``jimbo train``: learn from games, one verb per method."""

from jimbo.cli.commands import Verbs
from jimbo.cli.train_games import policy, rl, value
from jimbo.cli.train_networks import bc, dagger, distill, pv
from jimbo.cli.train_rllib import analyze, export, rllib
from jimbo.cli.train_sb3 import compare, sb3, throughput

app = Verbs(help="Train networks and values: one verb per method.", no_args_is_help=True)
for verb in (bc, pv, dagger, distill, rl, value, policy, sb3, compare):
    app.command()(verb)
app.command(hidden=True)(throughput)  # jimbo bench train
app.command("rllib")(rllib)
app.command("rllib-export")(export)
app.command("rllib-analyze")(analyze)
