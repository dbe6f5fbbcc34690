namespace Wire.Benchmarks;

/// <summary>What the bytes of a row say about types.</summary>
internal enum Typing
{
    /// <summary>Code written by hand for exactly this data.</summary>
    Floor,

    /// <summary>Both sides name the type in code ("S").</summary>
    Static,

    /// <summary>The payload says which one it holds of a list of types that both sides have, closed before it was written ("U").</summary>
    Union,

    /// <summary>The payload says what it holds ("P").</summary>
    Polymorphic,
}

/// <summary>
/// One line of a scenario's table: a named way to write and read its value. Cheap to make; <see cref="Prepare"/> comes before all else.
/// Each operation runs a number of times, so that the call into the row costs nothing.
/// </summary>
internal abstract class Row(string name, Typing typing)
{
    public string Name { get; } = name;

    public Typing Typing { get; } = typing;

    /// <summary>Why the row cannot be measured; null for all that can.</summary>
    public virtual string? Missing => null;

    /// <summary>The bytes that stand for the value, once prepared.</summary>
    public byte[] Payload { get; protected set; } = [];

    /// <summary>Makes the value and the payload, and throws when it does not read what it writes.</summary>
    public abstract void Prepare();

    /// <summary>Writes the value.</summary>
    public abstract void Write(int times);

    /// <summary>Reads the payload.</summary>
    public abstract void Read(int times);

    /// <summary>Writes the value and reads what was written.</summary>
    public abstract void RoundTrip(int times);

    /// <summary>Throws when what was read last is not the value. Not a part of what is timed.</summary>
    public abstract void Check();
}

/// <summary>A row that a library cannot have: a dash, and the reason.</summary>
internal sealed class MissingRow(string name, Typing typing, string reason) : Row(name, typing)
{
    public override string Missing => reason;

    public override void Prepare() => throw NotThere();

    public override void Write(int times) => throw NotThere();

    public override void Read(int times) => throw NotThere();

    public override void RoundTrip(int times) => throw NotThere();

    public override void Check() => throw NotThere();

    private InvalidOperationException NotThere() => new($"{Name}: {reason}.");
}

/// <summary>A row that does its work with a codec, on a value of the library's own class or of the model.</summary>
internal sealed class Row<T, TCodec>(string name, Typing typing, TCodec codec, Func<T> make, Func<T, T, bool> same) : Row(name, typing)
    where T : class
    where TCodec : struct, ICodec<T>
{
    private T? _value;

    // Where results go, so that none of the work is dead.
    private T? _result;

    public override void Prepare()
    {
        if (_value is not null)
        {
            return;
        }

        _value = make();

        // The first message of a session carries the manifest; the second is like all that follow.
        Check(codec.Read(codec.Write(_value)));
        Payload = codec.Write(_value).ToArray();
        Check(codec.Read(Payload));
        Check(codec.Read(codec.Write(_value)));
        if (!codec.Write(_value).SequenceEqual(Payload))
        {
            throw new InvalidOperationException($"{Name}: the same value gives other bytes.");
        }
    }

    public override void Write(int times)
    {
        T value = _value!;
        long bytes = 0;
        for (int i = 0; i < times; i++)
        {
            bytes += codec.Write(value).Length;
        }

        if (bytes != (long)times * Payload.Length)
        {
            throw new InvalidOperationException($"{Name}: {bytes} bytes, not {times} times {Payload.Length}.");
        }
    }

    public override void Read(int times)
    {
        byte[] payload = Payload;
        for (int i = 0; i < times; i++)
        {
            _result = codec.Read(payload);
        }
    }

    public override void RoundTrip(int times)
    {
        T value = _value!;
        for (int i = 0; i < times; i++)
        {
            _result = codec.Read(codec.Write(value));
        }
    }

    public override void Check()
    {
        if (_result is { } result)
        {
            _result = null;
            Check(result);
        }
    }

    private void Check(T read)
    {
        if (ReferenceEquals(read, _value) || !same(read, _value!))
        {
            throw new InvalidOperationException($"{Name}: what was read is not what was written.");
        }
    }
}

/// <summary>
/// One way to write and read a value. Implemented by structs, so that each row gets loops of its own, without interface calls.
/// </summary>
/// <remarks>
/// A codec for messages of nanoseconds should not be generic over their class: such code is shared by all classes, and slower for it.
/// </remarks>
internal interface ICodec<T>
{
    /// <summary>Writes into memory that the codec reuses; the bytes are valid until the next call.</summary>
    ReadOnlySpan<byte> Write(T value);

    /// <summary>Reads a value back.</summary>
    T Read(ReadOnlySpan<byte> payload);
}
