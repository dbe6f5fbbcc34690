using System.Buffers;
using Wire.Amqp.V091;

namespace Wire.Amqp;

/// <summary>What the body of a message is made of.</summary>
internal interface IContent
{
    /// <summary>Fills in what the properties say of the body, where they say nothing.</summary>
    void Describe(ref BasicProperties properties);

    /// <summary>Writes the body.</summary>
    void WriteTo<TTarget>(ref TTarget target)
        where TTarget : struct, IBodyTarget, allows ref struct;
}

/// <summary>A body that is there already, in any number of parts.</summary>
internal readonly struct BytesContent(ReadOnlySequence<byte> body) : IContent
{
    public void Describe(ref BasicProperties properties)
    {
    }

    public void WriteTo<TTarget>(ref TTarget target)
        where TTarget : struct, IBodyTarget, allows ref struct
    {
        IBufferWriter<byte> output = target.Begin(default);
        foreach (ReadOnlyMemory<byte> part in body)
        {
            output.Write(part.Span);
        }

        target.End();
    }
}

/// <summary>A body that somebody writes.</summary>
internal readonly struct WrittenContent<TState>(Action<IBufferWriter<byte>, TState> write, TState state) : IContent
{
    public void Describe(ref BasicProperties properties)
    {
    }

    public void WriteTo<TTarget>(ref TTarget target)
        where TTarget : struct, IBodyTarget, allows ref struct
    {
        write(target.Begin(default), state);
        target.End();
    }
}
