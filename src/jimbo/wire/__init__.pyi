from jimbo.wire.client import Client as Client
from jimbo.wire.errors import BadReply as BadReply
from jimbo.wire.errors import NoReply as NoReply
from jimbo.wire.errors import NotPossible as NotPossible
from jimbo.wire.errors import Refused as Refused
from jimbo.wire.errors import Unreachable as Unreachable
from jimbo.wire.errors import WireError as WireError
