using System.Buffers;

namespace Wire.RabbitMQ.Connections;

/// <summary>An existing body to publish. It must not change until the task has ended, nor may the properties.</summary>
internal readonly record struct RawBody(ReadOnlySequence<byte> Bytes);
