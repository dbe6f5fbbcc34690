using System.Globalization;

namespace Wire.Tests.Behaviour.Versions.Mixed;

/// <summary>What came of the messages that were read.</summary>
internal sealed class MixedTally
{
    private readonly Dictionary<(string Type, int Writer, int Reader), string> _wrong = [];

    /// <summary>How many were read or refused.</summary>
    public int Messages { get; private set; }

    /// <summary>How many were refused, as they had to be.</summary>
    public int Refused { get; private set; }

    /// <summary>How many were read by another release than that which wrote them.</summary>
    public int Changed { get; private set; }

    /// <summary>How many had another outcome than the rules say.</summary>
    public int Wrong { get; private set; }

    /// <summary>The first wrong one of each type between two releases.</summary>
    public string Faults => string.Join('\n', _wrong.Values);

    /// <summary>Reads a message, and compares.</summary>
    public void Add(ShopRelease writer, ShopRelease reader, PlainObject value, byte[] payload, DeserializerSession? session)
    {
        Messages++;
        var expected = new ExpectedValue(writer.Declarations, reader.Declarations);
        string text = PlainValue.Text(expected.Root(value));
        string? fault = null;
        try
        {
            string read = PlainValue.Text(reader.Read(RootOf(value, reader), payload, session));
            fault = expected.Errors.Count > 0 ? $"should be {string.Join(" or ", expected.Errors)}, and is {read}"
                : read != text ? $"should be {text}, and is {read}"
                : null;
            Changed += writer == reader ? 0 : 1;
        }
        catch (WireFormatException error)
        {
            Refused++;
            fault = expected.Errors.Contains(error.Error) ? null : $"should be {text}, and is {error.Error}: {error.Message}";
        }

        if (fault is not null)
        {
            Wrong++;
            _wrong.TryAdd(
                (value.Id, writer.Declarations.Release, reader.Declarations.Release),
                $"{value.Id} of {writer.Declarations.Release} by {reader.Declarations.Release}{(session is null ? "" : " in a session")}: "
                + $"{PlainValue.Text(value)} {fault}");
        }
    }

    public override string ToString() => string.Create(
        CultureInfo.InvariantCulture,
        $"{Messages} messages read: {Changed} by another release, {Refused} refused by the rules, {Wrong} wrong.");

    // A message of a class that the reader lacks is read as its base.
    private static string RootOf(PlainObject value, ShopRelease reader) =>
        reader.Declarations.Types.ContainsKey(value.Id) ? value.Id : "Message";
}
