using System.Buffers;
using Wire.Amqp.V091;

namespace Wire.Amqp.Bodies;

/// <summary>The way of a body to the other side.</summary>
internal enum BodyWay
{
    /// <summary>All of it is gathered before it is sent: it can be written only once, or is gathered elsewhere already.</summary>
    Gather,

    /// <summary>A large one is measured first, and written a second time as it is sent.</summary>
    Measure,

    /// <summary>Sent from the memory in which it lies.</summary>
    Attach,
}

/// <summary>The source of a message's body.</summary>
internal interface IContent
{
    /// <summary>Returns its way to the other side.</summary>
    /// <param name="maxAttached">How much of someone else's memory can be attached in one piece; 0 where it has to be copied.</param>
    BodyWay Way(int maxAttached);

    /// <summary>Fills in the properties that describe the body, if they are unset.</summary>
    void Describe(ref BasicProperties properties);

    /// <summary>Writes the body.</summary>
    void WriteTo<TTarget>(ref TTarget target)
        where TTarget : struct, IBodyTarget, allows ref struct;
}

/// <summary>A body that is there already, in any number of parts.</summary>
internal readonly struct BytesContent(ReadOnlySequence<byte> body) : IContent
{
    // Where the parts are small on the whole, most would be copied anyway, and then they may as well be copied as they are sent.
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

/// <summary>A body that someone writes, once.</summary>
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
