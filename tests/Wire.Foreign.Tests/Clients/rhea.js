// What a test says over rhea, as lines of JSON: see ForeignClient.cs for what they consist of.
'use strict';
const { createInterface } = require('node:readline');
const rhea = require('rhea');

const { types, message } = rhea;

const codes = {
  null: [0x40], boolean: [0x56, 0x41, 0x42], ubyte: [0x50], ushort: [0x60], uint: [0x70, 0x52, 0x43], ulong: [0x80, 0x53, 0x44],
  byte: [0x51], short: [0x61], int: [0x71, 0x54], long: [0x81, 0x55], float: [0x72], double: [0x82], decimal32: [0x74],
  decimal64: [0x84], decimal128: [0x94], char: [0x73], timestamp: [0x83], uuid: [0x98], binary: [0xb0, 0xa0], string: [0xb1, 0xa1],
  symbol: [0xb3, 0xa3], list: [0xd0, 0xc0, 0x45], map: [0xd1, 0xc1], array: [0xf0, 0xe0],
};
const names = Object.fromEntries(Object.entries(codes).flatMap(([name, all]) => all.map((code) => [code, name])));

function hex(text) { return Buffer.from(text, 'hex'); }

function long(text) {
  const buffer = Buffer.alloc(8);
  buffer.writeBigUInt64BE(BigInt.asUintN(64, BigInt(text)));
  return buffer;
}

function made([type, content]) {
  switch (type) {
    case 'null': return types.wrap(null);
    case 'boolean': return types.wrap_boolean(content);
    case 'string': return types.wrap_string(content);
    case 'symbol': return types.wrap_symbol(content);
    case 'binary': return types.wrap_binary(hex(content));
    case 'uuid': return types.wrap_uuid(hex(content));
    case 'float': return types.wrap_float(hex(content).readFloatBE());
    case 'double': return types.wrap_double(hex(content).readDoubleBE());
    case 'decimal32': return types.Decimal32(hex(content));
    case 'decimal64': return types.Decimal64(hex(content));
    case 'decimal128': return types.Decimal128(hex(content));
    case 'ulong': return types.wrap_ulong(long(content));
    case 'long': return types.wrap_long(long(content));
    case 'timestamp': return types.Timestamp(long(content));
    case 'list': return types.wrap_list(content.map(made));
    case 'map': return types.Map32(content.flat().map(made));
    case 'array': return types.wrap_array(content[2].map(bare), codes[content[0]][0], content[1] ? made(content[1]) : undefined);
    case 'described': return types.described(made(content[0]), made(content[1]));
    default: return types[`wrap_${type}`](Number(content));
  }
}

// Elements of an array are written without their types.
function bare(element) { return element[0] === 'boolean' ? Number(element[1]) : made(element).value; }

function shown(typed) {
  if (typed.descriptor) return ['described', [shown(typed.descriptor), shown({ ...typed, descriptor: undefined })]];
  const { value, type: { typecode } } = typed;
  const name = names[typecode];
  return [name, content(name, value, typed)];
}

function content(name, value, typed) {
  const buffer = Buffer.alloc(name === 'float' ? 4 : 8);
  switch (name) {
    case 'null': return null;
    case 'boolean': return Boolean(value);
    case 'string':
    case 'symbol': return value;
    case 'list': return value.map(shown);
    case 'map': return value.flatMap((key, i) => (i % 2 ? [] : [[shown(key), shown(value[i + 1])]]));
    case 'array': return arrayContent(value, typed.array_constructor);
    case 'float':
      buffer.writeFloatBE(value);
      return buffer.toString('hex');
    case 'double':
      buffer.writeDoubleBE(value);
      return buffer.toString('hex');
    case 'ulong': return String(Buffer.isBuffer(value) ? value.readBigUInt64BE() : value);
    case 'long':
    case 'timestamp': return String(Buffer.isBuffer(value) ? value.readBigInt64BE() : Number(value));
    default: return Buffer.isBuffer(value) ? value.toString('hex') : String(value);
  }
}

function arrayContent(elements, { typecode, descriptor }) {
  return [names[typecode], descriptor ? shown(descriptor) : null, elements.map(shown)];
}

function encoded(values) {
  const writer = new types.Writer();
  values.forEach((value) => writer.write(made(value)));
  return writer.toBuffer();
}

function decoded(buffer) {
  const reader = new types.Reader(buffer);
  const values = [];
  while (reader.remaining()) values.push(shown(reader.read()));
  return values;
}

const fields = {
  0x70: ['durable', 'priority', 'ttl', 'first_acquirer', 'delivery_count'],
  0x73: [
    'message_id', 'user_id', 'to', 'subject', 'reply_to', 'correlation_id', 'content_type', 'content_encoding', 'absolute_expiry_time',
    'creation_time', 'group_id', 'group_sequence', 'reply_to_group_id',
  ],
};
const maps = { 0x72: 'message_annotations', 0x74: 'application_properties', 0x78: 'footer' };

// A message as programs make them, of its sections.
function assembled(sections) {
  const result = {};
  const bodies = [];
  let wrap;
  for (const [, [[, code], section]] of sections) {
    if (fields[code]) {
      section[1].forEach((field, i) => { if (field[0] !== 'null') result[fields[code][i]] = plain(field); });
    } else if (maps[code]) {
      result[maps[code]] = Object.fromEntries(section[1].map(([key, value]) => [key[1], made(value)]));
    } else if (code === '119') {
      result.body = made(section);
    } else {
      wrap = code === '117' ? message.data_sections : message.sequence_sections;
      bodies.push(code === '117' ? hex(section[1]) : section[1].map(made));
    }
  }
  if (wrap) result.body = wrap(bodies);
  return result;
}

function plain([type, value]) {
  if (type === 'ulong') return made([type, value]);
  if (type === 'uuid' || type === 'binary') return hex(value);
  return ['string', 'symbol', 'boolean'].includes(type) ? value : Number(value);
}

// What a message consists of is shown as it came, with all types; what programs get of it has to be there as well.
let received;
const decode = message.decode;
message.decode = (buffer) => {
  received = buffer;
  return decode(buffer);
};

const senders = new Map();
const receivers = new Map();
let connection;

function connected() {
  if (connection) return;
  const { hostname, port, username, password } = new URL(process.env.WIRE_RABBITMQ_URI);
  connection = rhea.connect({ host: hostname, port: Number(port), username, password, reconnect: false });
}

function fail(context) {
  const { error } = context.receiver ?? context.sender ?? context.connection ?? {};
  console.error('rhea:', error ?? context.error ?? 'the connection has ended');
  process.exit(1);
}

for (const event of ['connection_error', 'session_error', 'sender_error', 'receiver_error', 'disconnected', 'rejected', 'released']) {
  rhea.on(event, fail);
}

function published(sender, body) {
  return new Promise((resolve) => {
    sender.once('accepted', () => resolve({}));
    sender.send(body);
  });
}

async function sending(stream) {
  connected();
  if (!senders.has(stream)) {
    const sender = connection.open_sender(`/queues/${encodeURIComponent(stream)}`);
    senders.set(stream, sender);
    await new Promise((resolve) => { sender.once('sendable', resolve); });
  }
  return senders.get(stream);
}

function receiving(stream) {
  connected();
  if (!receivers.has(stream)) {
    const name = 'rabbitmq:stream-offset-spec';
    const filter = { [name]: types.described(types.wrap_symbol(name), types.wrap_string('first')) };
    const receiver = connection.open_receiver({ source: { address: `/queues/${encodeURIComponent(stream)}`, filter } });
    const here = { come: [], waiting: [] };
    receiver.on('message', () => {
      const sections = decoded(received);
      if (here.waiting.length) here.waiting.shift()(sections);
      else here.come.push(sections);
    });
    receivers.set(stream, here);
  }
  return receivers.get(stream);
}

async function run(command) {
  switch (command.do) {
    case 'encode': return { bytes: encoded(command.values).toString('hex') };
    case 'decode': return { values: decoded(hex(command.bytes)) };
    case 'assemble': return { bytes: message.encode(assembled(command.message)).toString('hex') };
    case 'publish': return published(await sending(command.stream), assembled(command.message));
    default: {
      const { come, waiting } = receiving(command.stream);
      return { message: come.shift() ?? await new Promise((resolve) => { waiting.push(resolve); }) };
    }
  }
}

async function main() {
  for await (const line of createInterface({ input: process.stdin })) {
    process.stdout.write(`${JSON.stringify(await run(JSON.parse(line)))}\n`);
  }
  process.exit(0);
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
