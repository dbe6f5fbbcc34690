// What a test says over amqplib, as lines of JSON: see ForeignClient.cs for what they consist of.
'use strict';
const { createHash } = require('node:crypto');
const { createInterface } = require('node:readline');
const amqp = require('amqplib');

const types = {
  b: 'int8', B: 'uint8', s: 'int16', u: 'uint16', I: 'int32', i: 'uint32', l: 'int64', f: 'float', d: 'double', T: 'timestamp',
};

function made([type, value]) {
  switch (type) {
    case 'S': return value;
    case 't': return value;
    case 'V': return null;
    case 'x': return Buffer.from(value, 'base64');
    case 'D': return { '!': 'decimal', value: { places: value[0], digits: value[1] } };
    case 'A': return value.map(made);
    case 'F': return Object.fromEntries(value.map(([name, field]) => [name, made(field)]));
    case 'f':
    case 'd': return { '!': types[type], value: bits(value) };
    case 'l':
    case 'T': return { '!': types[type], value: BigInt(value) };
    default: return { '!': types[type], value: Number(value) };
  }
}

function bits(text) { return Buffer.from(text, 'hex').readDoubleBE(); }

// Every number is one of 64 bits here, whatever it was.
function number(value) {
  const buffer = Buffer.alloc(8);
  buffer.writeDoubleBE(value);
  return { number: buffer.toString('hex') };
}

function shown(value) {
  if (value === null) return { nothing: true };
  if (typeof value === 'boolean') return { boolean: value };
  if (typeof value === 'number') return number(value);
  if (typeof value === 'string') return { text: value };
  if (Buffer.isBuffer(value)) return { bytes: value.toString('base64') };
  if (Array.isArray(value)) return { array: value.map(shown) };
  if (value['!'] === 'decimal') return { decimal: [value.value.places, value.value.digits] };
  if (value['!'] === 'timestamp') return { timestamp: value.value };
  return { table: Object.fromEntries(Object.entries(value).map(([name, field]) => [name, shown(field)])) };
}

const names = [
  'contentType', 'contentEncoding', 'deliveryMode', 'priority', 'correlationId', 'replyTo', 'expiration', 'messageId', 'timestamp', 'type',
  'userId', 'appId', 'clusterId',
];

async function run(connection, command) {
  const channel = connection.channel;
  if (command.do === 'publish') {
    const properties = { ...command.properties, headers: made(['F', command.headers]) };
    channel.publish('', command.queue, Buffer.from(command.body, 'base64'), properties);
    await channel.waitForConfirms();
    return {};
  }
  const message = await channel.get(command.queue, { noAck: true });
  if (!message) return { isEmpty: true };
  const properties = {};
  for (const name of names) {
    if (message.properties[name] !== undefined) properties[name] = message.properties[name];
  }
  return {
    properties,
    headers: shown(message.properties.headers ?? {}),
    length: message.content.length,
    hash: createHash('sha256').update(message.content).digest('hex'),
  };
}

async function main() {
  const connection = await amqp.connect(process.env.WIRE_RABBITMQ_URI.replace(/\/$/, ''));
  connection.channel = await connection.createConfirmChannel();
  for await (const line of createInterface({ input: process.stdin })) {
    process.stdout.write(`${JSON.stringify(await run(connection, JSON.parse(line)))}\n`);
  }
  await connection.close();
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
