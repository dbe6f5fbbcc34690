using Wire.Format;

namespace Wire.Slots;

/// <summary>The differences that come up while a reader for a foreign schema is made, for <see cref="SchemaDifference"/>.</summary>
/// <param name="namesEnums">True if an enum that is written as a mere number counts: writers are expected to name its values.</param>
internal sealed class SchemaDifferences(bool namesEnums)
{
    // A payload chooses how many there are, and each has a path.
    private const int MaxListed = 256;

    private readonly List<string> _path = [];
    private readonly List<string> _unknown = [];
    private readonly List<string> _missing = [];
    private readonly List<MemberConversion> _conversions = [];

    /// <summary>Goes into a member; what follows lies in it.</summary>
    public void Enter(string member) => _path.Add(member);

    /// <summary>Leaves the member.</summary>
    public void Exit() => _path.RemoveAt(_path.Count - 1);

    /// <summary>Adds a member that only the writer has.</summary>
    public void AddUnknown(string member) => Add(_unknown, member);

    /// <summary>Adds a member that only the reader has.</summary>
    public void AddMissing(string member) => Add(_missing, member);

    /// <summary>Compares what both sides declare at this path, but for the members in it.</summary>
    public void Compare(Shape writer, Shape own)
    {
        if (_conversions.Count < MaxListed && Differ(writer, own))
        {
            var conversion = new MemberConversion(string.Join('.', _path), writer.InWords(), own.InWords());
            if (!_conversions.Contains(conversion))
            {
                _conversions.Add(conversion);
            }
        }
    }

    /// <summary>Returns the differences of a type; null when there are none.</summary>
    public SchemaDifference? Describe(Type type, string? writerName) => _unknown.Count + _missing.Count + _conversions.Count == 0
        ? null
        : new SchemaDifference(type, writerName, [.. _unknown], [.. _missing], [.. _conversions]);

    // The same member of keys and values of one map has one path, as conversions have.
    private void Add(List<string> members, string member)
    {
        string path = _path.Count == 0 ? member : $"{string.Join('.', _path)}.{member}";
        if (members.Count < MaxListed && !members.Contains(path))
        {
            members.Add(path);
        }
    }

    // Members are compared one by one. Where one side has a recursion the other has one too, or its members are. An enum without names
    // looks like an integer.
    private bool Differ(Shape writer, Shape own)
    {
        if (writer.Code == ShapeCode.Recursion || own.Code == ShapeCode.Recursion || (HasMembers(writer) && HasMembers(own))
            || (writer.Code == ShapeCode.Union && own.Code == ShapeCode.Union)
            || (!namesEnums && own.Code == ShapeCode.Enum && writer.Code == own.Element!.Code))
        {
            return false;
        }

        return writer.Code != own.Code
            || writer.Size != own.Size
            || !writer.Names.AsSpan().SequenceEqual(own.Names)
            || (writer.Element is { } element && Differ(element, own.Element!))
            || (writer.Value is { } value && Differ(value, own.Value!));
    }

    private static bool HasMembers(Shape shape) => shape.Code == ShapeCode.Members || shape.Equals(Shape.Empty);
}
