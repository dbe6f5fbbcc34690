using System.Buffers;
using System.Collections.Concurrent;
using System.IO.Pipelines;
using Wire.Testing;
using Wire.Tests.Testing;
using static Wire.Tests.Behaviour.Histories.HistoryModel;

namespace Wire.Tests.Behaviour.Histories;

/// <summary>How messages come.</summary>
internal enum Channel
{
    Array,
    Span,
    Sequence,
    SeekableStream,
    SlowStream,
    Frames,
    AllFrames,
    FramesOfPipe,
    AllFramesOfPipe,
}

/// <summary>The end of a connection that reads, message by message, and goes on behind those that fail.</summary>
internal sealed class Reader : IDisposable
{
    private readonly Serializer _serializer;
    private readonly Channel _channel;
    private readonly DeserializerSession _session;
    private readonly TrickleStream? _stream;
    private readonly PipeReader? _pipe;

    // Of DeserializeAllFramedAsync: gone on with until it throws, or another type is asked for.
    private (Type Asked, Func<object?> Next, IAsyncDisposable Enumerator)? _all;

    public Reader(Serializer serializer, Channel channel, IEnumerable<Delivery> deliveries)
    {
        (_serializer, _channel, _session) = (serializer, channel, serializer.GetDeserializerSession());
        if (IsFramed(channel))
        {
            byte[] bytes =
                [.. deliveries.SelectMany(delivery => (byte[])[.. BitConverter.GetBytes(delivery.Bytes.Length), .. delivery.Bytes])];
            _stream = new TrickleStream(bytes, 7);
            _pipe = PipeReader.Create(new ReadOnlySequence<byte>(bytes));
        }
    }

    public static bool IsFramed(Channel channel) => channel >= Channel.Frames;

    public object? Next(Delivery delivery)
    {
        Ask ask = Ask.For(delivery.Asked);
        if (delivery.Message.IsTyped)
        {
            return ask.ReadTyped(_serializer, delivery.Bytes, _session);
        }

        switch (_channel)
        {
            case Channel.Frames:
                return ask.ReadFrame(_serializer, _stream!, _session);
            case Channel.FramesOfPipe:
                return ask.ReadFrame(_serializer, _pipe!, _session);
            case Channel.AllFrames or Channel.AllFramesOfPipe:
                return NextOfAll(ask, delivery.Asked);
            default:
                return ask.Read(_serializer, _channel, delivery.Bytes, _session);
        }
    }

    public void Dispose()
    {
        End();
        _session.Dispose();
        _stream?.Dispose();
    }

    private object? NextOfAll(Ask ask, Type asked)
    {
        if (_all?.Asked != asked)
        {
            End();
            (Func<object?> next, IAsyncDisposable enumerator) = _channel == Channel.AllFrames
                ? ask.ReadAll(_serializer, _stream!, _session)
                : ask.ReadAll(_serializer, _pipe!, _session);
            _all = (asked, next, enumerator);
        }

        try
        {
            return _all!.Value.Next();
        }
        catch
        {
            // It has ended by this. The connection has not.
            End();
            throw;
        }
    }

    private void End()
    {
        _all?.Enumerator.DisposeAsync().AsTask().GetAwaiter().GetResult();
        _all = null;
    }
}

/// <summary>Reads as a type that is known at run time only.</summary>
internal abstract class Ask
{
    private static readonly ConcurrentDictionary<Type, Ask> Known = new();

    public static Ask For(Type type) =>
        Known.GetOrAdd(type, static type => (Ask)Activator.CreateInstance(typeof(Of<>).MakeGenericType(type))!);

    public static bool CanBeTyped(object value) => value is Transfer or Refund or Deposit or Batch or Wrapped;

    public abstract byte[] WriteTyped(Serializer serializer, object value, SerializerSession session);

    public abstract object? ReadTyped(Serializer serializer, byte[] bytes, DeserializerSession session);

    public abstract object? Read(Serializer serializer, Channel channel, byte[] bytes, DeserializerSession session);

    public abstract object? ReadFrame(Serializer serializer, Stream stream, DeserializerSession session);

    public abstract object? ReadFrame(Serializer serializer, PipeReader pipe, DeserializerSession session);

    public abstract (Func<object?> Next, IAsyncDisposable Enumerator) ReadAll(Serializer serializer, Stream stream,
        DeserializerSession session);

    public abstract (Func<object?> Next, IAsyncDisposable Enumerator) ReadAll(Serializer serializer, PipeReader pipe,
        DeserializerSession session);

    private sealed class Of<T> : Ask
    {
        public override byte[] WriteTyped(Serializer serializer, object value, SerializerSession session) =>
            serializer.SerializeTyped((T)value, session);

        public override object? ReadTyped(Serializer serializer, byte[] bytes, DeserializerSession session) =>
            serializer.DeserializeTyped<T>(bytes, session);

        public override object? Read(Serializer serializer, Channel channel, byte[] bytes, DeserializerSession session)
        {
            switch (channel)
            {
                case Channel.Array:
                    return serializer.Deserialize<T>(bytes, session);
                case Channel.Span:
                    return serializer.Deserialize<T>(bytes.AsSpan(), session);
                case Channel.Sequence:
                    return serializer.Deserialize<T>(Fragments.Every(bytes, 3), session);
                case Channel.SeekableStream:
                    using (var stream = new SeekableStream(bytes))
                    {
                        return serializer.Deserialize<T>(stream, session);
                    }

                default:
                    using (var stream = new TrickleStream(bytes, 2))
                    {
                        return serializer.Deserialize<T>(stream, session);
                    }
            }
        }

        // Everything is there: nothing waits.
        public override object? ReadFrame(Serializer serializer, Stream stream, DeserializerSession session) =>
            serializer.DeserializeFramedAsync<T>(stream, session).AsTask().GetAwaiter().GetResult();

        public override object? ReadFrame(Serializer serializer, PipeReader pipe, DeserializerSession session) =>
            serializer.DeserializeFramedAsync<T>(pipe, session).AsTask().GetAwaiter().GetResult();

        public override (Func<object?> Next, IAsyncDisposable Enumerator) ReadAll(Serializer serializer, Stream stream,
            DeserializerSession session) =>
            Through(serializer.DeserializeAllFramedAsync<T>(stream, session).GetAsyncEnumerator());

        public override (Func<object?> Next, IAsyncDisposable Enumerator) ReadAll(Serializer serializer, PipeReader pipe,
            DeserializerSession session) =>
            Through(serializer.DeserializeAllFramedAsync<T>(pipe, session).GetAsyncEnumerator());

        private static (Func<object?> Next, IAsyncDisposable Enumerator) Through(IAsyncEnumerator<T?> enumerator) =>
            (() => enumerator.MoveNextAsync().AsTask().GetAwaiter().GetResult()
                ? enumerator.Current
                : throw new InvalidDataException("The frames have ended too early."), enumerator);
    }
}
