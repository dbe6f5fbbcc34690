// What a test says over rabbitmq-stream-js-client, as lines of JSON: see StreamJsTests.cs for what they consist of.
'use strict';
const { createInterface } = require('node:readline');

// The client says on the standard output what it does, where answers belong.
console.log = console.error;
const { connect, Offset } = require('rabbitmq-stream-js-client');

const compressions = { plain: 0, gzip: 1 };
const dates = ['absoluteExpiryTime', 'creationTime'];

function made({ content, properties, applicationProperties, annotations }) {
  const messageProperties = Object.keys(properties).length ? { ...properties } : undefined;
  if (properties.userId) messageProperties.userId = Buffer.from(properties.userId, 'base64');
  for (const name of dates) if (properties[name] !== undefined) messageProperties[name] = new Date(properties[name]);
  return { content: Buffer.from(content, 'base64'), messageProperties, applicationProperties, messageAnnotations: annotations };
}

function present(fields) {
  const there = Object.entries(fields ?? {}).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(there.map(([name, value]) => {
    if (Buffer.isBuffer(value)) return [name, value.toString('base64')];
    return [name, value instanceof Date ? value.getTime() : value];
  }));
}

function shown(message) {
  return {
    content: message.content.toString('base64'),
    properties: present(message.messageProperties),
    applicationProperties: present(message.applicationProperties),
    annotations: present(message.messageAnnotations),
    header: present(message.messageHeader),
    offset: String(message.offset),
  };
}

const publishers = new Map();

async function publisherOf(client, stream, publisherRef, filter) {
  const key = `${publisherRef} ${filter}`;
  if (!publishers.has(key)) {
    const options = { stream, publisherRef, boot: publisherRef !== undefined };
    publishers.set(key, await client.declarePublisher(options, filter && (() => filter)));
  }
  return publishers.get(key);
}

// Publishes, and waits for as many confirms as there are ids.
async function publish(client, { stream, messages, entry, publisher: name, filter }) {
  const publisher = await publisherOf(client, stream, name, filter);
  let left = entry ? 1 : messages.length;
  const confirmed = new Promise((resolve, reject) => {
    publisher.on('publish_confirm', (error, ids) => {
      left -= ids.length;
      if (error) reject(new Error(`The broker answers with ${error}.`));
      else if (left === 0) resolve();
    });
  });
  const all = messages.map(made);
  if (entry) await publisher.sendSubEntries(all, compressions[entry]);
  else for (const { content, ...options } of all) await publisher.send(content, options);
  await publisher.flush();
  await confirmed;
  return { last: String(name === undefined ? 0 : await publisher.getLastPublishingId()) };
}

async function take(client, { stream, count, filter }) {
  const messages = [];
  let consumer;
  await new Promise((resolve, reject) => {
    const options = { stream, offset: Offset.first() };
    if (filter) options.filter = { values: [filter], postFilterFunc: () => true, matchUnfiltered: false };
    client.declareConsumer(options, (message) => {
      messages.push(shown(message));
      if (messages.length === count) resolve();
    }).then((declared) => { consumer = declared; }, reject);
  });
  await client.closeConsumer(consumer.extendedId);
  return { messages };
}

async function run(client, command) {
  switch (command.do) {
    case 'publish': return publish(client, command);
    case 'take': return take(client, command);
    case 'spread': {
      const { superStream, keys } = command;
      const publisher = await client.declareSuperStreamPublisher({ superStream }, (content) => content);
      for (const key of keys) await publisher.send(Buffer.from(key), {});
      await publisher.close();
      return {};
    }
    case 'store': {
      const consumer = await client.declareConsumer({ stream: command.stream, consumerRef: command.name, offset: Offset.next() }, () => {});
      await consumer.storeOffset(BigInt(command.offset));
      await client.closeConsumer(consumer.extendedId);
      return {};
    }
    default: return { offset: String(await client.queryOffset({ stream: command.stream, reference: command.name })) };
  }
}

async function main() {
  const { hostname, username, password } = new URL(process.env.WIRE_RABBITMQ_URI);
  const client = await connect({ hostname, port: Number(process.env.WIRE_RABBITMQ_STREAM_PORT), username, password, vhost: '/' });
  for await (const line of createInterface({ input: process.stdin })) {
    process.stdout.write(`${JSON.stringify(await run(client, JSON.parse(line)))}\n`);
  }
  process.exit(0);
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
