# What a test says over pika, as lines of JSON: see ForeignClient.cs for what they consist of.
import base64
import calendar
import datetime
import decimal
import hashlib
import json
import os
import struct
import sys

import pika
from pika.compat import long

NAMES = {
    'contentType': 'content_type', 'contentEncoding': 'content_encoding', 'deliveryMode': 'delivery_mode', 'priority': 'priority',
    'correlationId': 'correlation_id', 'replyTo': 'reply_to', 'expiration': 'expiration', 'messageId': 'message_id',
    'timestamp': 'timestamp', 'type': 'type', 'userId': 'user_id', 'appId': 'app_id', 'clusterId': 'cluster_id',
}


def made(value):
    kind, content = value
    if kind in ('S', 't'):
        return content
    if kind == 'V':
        return None
    if kind == 'x':
        return base64.b64decode(content)
    if kind == 'I':
        return int(content)
    if kind == 'l':
        return long(int(content))
    if kind == 'D':
        return decimal.Decimal(content[1]).scaleb(-content[0])
    if kind == 'T':
        return datetime.datetime.fromtimestamp(int(content), datetime.timezone.utc)
    if kind == 'A':
        return [made(each) for each in content]
    if kind == 'F':
        return {name: made(field) for name, field in content}
    raise ValueError(kind)


def shown(value):
    if value is None:
        return {'nothing': True}
    if isinstance(value, bool):
        return {'boolean': value}
    if isinstance(value, int):
        return {'integer': str(int(value))}
    if isinstance(value, float):
        return {'number': struct.pack('>d', value).hex()}
    if isinstance(value, str):
        return {'text': value}
    if isinstance(value, bytes):
        return {'bytes': base64.b64encode(value).decode()}
    if isinstance(value, decimal.Decimal):
        return {'decimal': [str(part) for part in value.as_integer_ratio()]}
    if isinstance(value, datetime.datetime):
        return {'timestamp': calendar.timegm(value.utctimetuple())}
    if isinstance(value, list):
        return {'array': [shown(each) for each in value]}
    return {'table': {name: shown(field) for name, field in value.items()}}


def run(channel, command):
    if command['do'] == 'publish':
        properties = pika.BasicProperties(
            headers=made(['F', command['headers']]), **{NAMES[name]: value for name, value in command['properties'].items()})
        channel.basic_publish('', command['queue'], base64.b64decode(command['body']), properties, mandatory=True)
        return {}
    method, properties, body = channel.basic_get(command['queue'], auto_ack=True)
    if method is None:
        return {'isEmpty': True}
    found = {name: getattr(properties, other) for name, other in NAMES.items()}
    return {
        'properties': {name: value for name, value in found.items() if value is not None},
        'headers': shown(properties.headers or {}),
        'length': len(body),
        'hash': hashlib.sha256(body).hexdigest(),
    }


def main():
    uri = os.environ['WIRE_RABBITMQ_URI'].rstrip('/') + '/%2f'
    parameters = pika.URLParameters(uri)
    # It waits for lines, and would send none.
    parameters.heartbeat = 0
    connection = pika.BlockingConnection(parameters)
    channel = connection.channel()
    channel.confirm_delivery()
    for line in sys.stdin:
        print(json.dumps(run(channel, json.loads(line))), flush=True)
    connection.close()


main()
