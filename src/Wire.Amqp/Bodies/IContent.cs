using System.Buffers;
using Wire.Amqp.V091;

namespace Wire.Amqp.Bodies;

/// <summary>The way in which a body is sent.</summary>
internal enum BodyWay
{
    /// <summary>Buffered before it is sent: it can be written only once, or is buffered elsewhere already.</summary>
    Gather,

    /// <summary>A large one is measured first, and written again while it is sent.</summary>
    Measure,

    /// <summary>Sent from its memory, without a copy.</summary>
    Attach,
}

/// <summary>The source of a message's body.</summary>
internal interface IContent
{
    /// <summary>Returns the way in which it is sent.</summary>
    /// <param name="maxAttached">The number of bytes of foreign memory that can be attached in one piece; 0 if it must be copied.</param>
    BodyWay Way(int maxAttached);

    /// <summary>Fills in the properties that describe the body, if they are unset.</summary>
    void Describe(ref BasicProperties properties);

    /// <summary>Writes the body.</summary>
    void WriteTo<TTarget>(ref TTarget target)
        where TTarget : struct, IBodyTarget, allows ref struct;
}

/// <summary>An existing body, in any number of parts.</summary>
internal readonly struct BytesContent(ReadOnlySequence<byte> body) : IContent
{
    // If most parts are small, they would be copied anyway, and can be copied while they are sent.
    public BodyWay Way(int maxAttached)
    {
        if (maxAttached < BodyFrames.LeastAttached || body.Length < BodyFrames.LeastAttached)
        {
            return BodyWay.Measure;
        }

        long parts = 0;
        foreach (ReadOnlyMemory<byte> part in body)
        {
            parts += part.IsEmpty ? 0 : 1;
        }

        return body.Length / parts >= BodyFrames.LeastAttached ? BodyWay.Attach : BodyWay.Measure;
    }

    public void Describe(ref BasicProperties properties)
    {
    }

    public void WriteTo<TTarget>(ref TTarget target)
        where TTarget : struct, IBodyTarget, allows ref struct
    {
        target.BeginBody(default);
        target.Write(in body);
        target.EndBody();
    }
}

/// <summary>A body from a callback, which is called once.</summary>
internal readonly struct WrittenContent<TState>(Action<IBufferWriter<byte>, TState> write, TState state) : IContent
{
    public BodyWay Way(int maxAttached) => BodyWay.Gather;

    public void Describe(ref BasicProperties properties)
    {
    }

    public void WriteTo<TTarget>(ref TTarget target)
        where TTarget : struct, IBodyTarget, allows ref struct
    {
        write(target.BeginBody(default), state);
        target.EndBody();
    }
}
