namespace Wire;

/// <summary>The bytes are not a payload that can be read: thrown for bad input and for nothing else.</summary>
public class WireFormatException : FormatException
{
    private readonly string _reason;

    internal WireFormatException(WireFormatError error, string reason, Exception? inner = null)
        : base(reason, inner)
    {
        Error = error;
        _reason = reason;
    }

    /// <summary>What is wrong, for programs.</summary>
    public WireFormatError Error { get; }

    /// <summary>Where reading stopped, in bytes from the beginning of the payload; -1 when no payload was being read.</summary>
    public long Offset { get; private set; } = -1;

    /// <summary>The members that led from the root to the value that could not be read, such as <c>Lines[2].Price</c>; empty at the root.</summary>
    public string MemberPath { get; private set; } = "";

    /// <inheritdoc/>
    public override string Message => Offset < 0
        ? _reason
        : MemberPath.Length == 0 ? $"{_reason} (at byte {Offset})" : $"{_reason} (at byte {Offset}, in {MemberPath})";

    /// <summary>Adds the place, once: the innermost reader knows it best.</summary>
    internal void Locate(long offset, string memberPath)
    {
        if (Offset < 0)
        {
            Offset = offset;
            MemberPath = memberPath;
        }
    }
}
