# What a test says over proton, as lines of JSON: see ForeignClient.cs for what they consist of.
import json
import os
import struct
import sys
import urllib.parse
import uuid

import proton
from proton import Data, Described, symbol
from proton.reactor import Filter
from proton.utils import BlockingConnection

NAMES = {
    Data.NULL: 'null', Data.BOOL: 'boolean', Data.UBYTE: 'ubyte', Data.USHORT: 'ushort', Data.UINT: 'uint', Data.ULONG: 'ulong',
    Data.BYTE: 'byte', Data.SHORT: 'short', Data.INT: 'int', Data.LONG: 'long', Data.FLOAT: 'float', Data.DOUBLE: 'double',
    Data.DECIMAL32: 'decimal32', Data.DECIMAL64: 'decimal64', Data.DECIMAL128: 'decimal128', Data.CHAR: 'char',
    Data.TIMESTAMP: 'timestamp', Data.UUID: 'uuid', Data.BINARY: 'binary', Data.STRING: 'string', Data.SYMBOL: 'symbol',
    Data.LIST: 'list', Data.MAP: 'map', Data.ARRAY: 'array', Data.DESCRIBED: 'described',
}
CODES = {name: code for code, name in NAMES.items()}


def put(data, value):
    kind, content = value
    if kind == 'null':
        data.put_null()
    elif kind == 'boolean':
        data.put_bool(content)
    elif kind in ('string', 'symbol'):
        getattr(data, 'put_' + kind)(content)
    elif kind in ('binary', 'decimal128'):
        getattr(data, 'put_' + kind)(bytes.fromhex(content))
    elif kind == 'uuid':
        data.put_uuid(uuid.UUID(content))
    elif kind in ('decimal32', 'decimal64'):
        getattr(data, 'put_' + kind)(int(content, 16))
    elif kind == 'char':
        data.put_char(chr(int(content)))
    elif kind == 'float':
        data.put_float(struct.unpack('>f', bytes.fromhex(content))[0])
    elif kind == 'double':
        data.put_double(struct.unpack('>d', bytes.fromhex(content))[0])
    elif kind == 'list':
        data.put_list()
        inside(data, content)
    elif kind == 'map':
        data.put_map()
        inside(data, [each for pair in content for each in pair])
    elif kind == 'described':
        data.put_described()
        inside(data, content)
    elif kind == 'array':
        element, descriptor, elements = content
        data.put_array(descriptor is not None, CODES[element])
        inside(data, ([] if descriptor is None else [descriptor]) + elements)
    else:
        getattr(data, 'put_' + kind)(int(content))


def inside(data, values):
    data.enter()
    for value in values:
        put(data, value)
    data.exit()


def shown(data):
    name = NAMES[data.type()]
    if name == 'null':
        return [name, None]
    if name == 'boolean':
        return [name, data.get_bool()]
    if name in ('string', 'symbol'):
        return [name, str(getattr(data, 'get_' + name)())]
    if name in ('binary', 'decimal128'):
        return [name, getattr(data, 'get_' + name)().hex()]
    if name == 'uuid':
        return [name, data.get_uuid().hex]
    if name in ('decimal32', 'decimal64'):
        return [name, '%0*x' % (8 if name == 'decimal32' else 16, getattr(data, 'get_' + name)())]
    if name == 'char':
        return [name, str(ord(data.get_char()))]
    if name == 'float':
        return [name, struct.pack('>f', data.get_float()).hex()]
    if name == 'double':
        return [name, struct.pack('>d', data.get_double()).hex()]
    if name == 'array':
        _, is_described, element = data.get_array()
        values = entered(data)
        return [name, [NAMES[element], values.pop(0) if is_described else None, values]]
    if name == 'map':
        values = entered(data)
        return [name, [list(pair) for pair in zip(values[::2], values[1::2])]]
    if name in ('list', 'described'):
        return [name, entered(data)]
    return [name, str(int(getattr(data, 'get_' + name)()))]


def entered(data):
    values = []
    data.enter()
    while data.next():
        values.append(shown(data))
    data.exit()
    return values


def encoded(values):
    encodings = []
    for value in values:
        data = Data()
        put(data, value)
        encodings.append(data.encode())
    return b''.join(encodings)


def decoded(buffer):
    values = []
    while buffer:
        data = Data()
        buffer = buffer[data.decode(buffer):]
        data.rewind()
        data.next()
        values.append(shown(data))
    return values


FIELDS = [
    'id', 'user_id', 'address', 'subject', 'reply_to', 'correlation_id', 'content_type', 'content_encoding', 'expiry_time',
    'creation_time', 'group_id', 'group_sequence', 'reply_to_group_id',
]


def value_of(value):
    data = Data()
    put(data, value)
    data.rewind()
    data.next()
    return data.get_object()


def assembled(sections):
    """A message as programs make them, of its sections. The class has one section of a body alone, and none for null."""
    contents = {int(descriptor[1]): content for _, (descriptor, content) in sections}
    if len(contents) < len(sections) or contents.get(0x77) == ['null', None]:
        return Encoded(sections)
    message = proton.Message()
    for code, content in contents.items():
        if code == 0x72:
            message.annotations = value_of(content)
        elif code == 0x73:
            for name, field in zip(FIELDS, content[1]):
                if field[0] != 'null':
                    # Times are in seconds here.
                    setattr(message, name, int(field[1]) / 1000 if field[0] == 'timestamp' else value_of(field))
        elif code == 0x74:
            message.properties = value_of(content)
        else:
            message.inferred = code != 0x77
            message.body = value_of(content)
    return message


class Encoded:
    """A message whose sections are encoded one by one."""

    def __init__(self, sections):
        self.sections = sections

    def send(self, sender, tag=None):
        delivery = sender.delivery(tag or sender.delivery_tag())
        sender.stream(encoded(self.sections))
        sender.advance()
        return delivery


class Client:
    def __init__(self):
        self.connection = None
        self.senders = {}
        self.receivers = {}
        self.received = None
        decode = proton.Message.decode

        # What a message consists of is shown as it came; what programs get of it has to be there as well.
        def kept(message, buffer):
            self.received = buffer
            return decode(message, buffer)

        proton.Message.decode = kept

    def open(self, links, stream, make):
        if self.connection is None:
            self.connection = BlockingConnection(os.environ['WIRE_RABBITMQ_URI'], allowed_mechs='PLAIN', heartbeat=0)
        if stream not in links:
            links[stream] = make(self.connection, '/queues/' + urllib.parse.quote(stream, safe=''))
        return links[stream]

    def run(self, command):
        if command['do'] == 'encode':
            return {'bytes': encoded(command['values']).hex()}
        if command['do'] == 'decode':
            return {'values': decoded(bytes.fromhex(command['bytes']))}
        if command['do'] == 'publish':
            sender = self.open(self.senders, command['stream'], lambda connection, address: connection.create_sender(address))
            sender.send(assembled(command['message']))
            return {}
        receiver = self.open(self.receivers, command['stream'], receiving)
        receiver.receive(timeout=60)
        receiver.accept()
        return {'message': decoded(self.received)}


def receiving(connection, address):
    name = symbol('rabbitmq:stream-offset-spec')
    # One at a time: what was received last is what is returned.
    return connection.create_receiver(address, credit=0, options=Filter({name: Described(name, 'first')}))


def main():
    client = Client()
    for line in sys.stdin:
        print(json.dumps(client.run(json.loads(line))), flush=True)


main()
