from jimbo.telemetry.events import EVENTS as EVENTS
from jimbo.telemetry.events import EventData as EventData
from jimbo.telemetry.messages import BadMessage as BadMessage
from jimbo.telemetry.messages import checked_message as checked_message
from jimbo.telemetry.source import EventSource as EventSource
