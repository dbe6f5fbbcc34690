using Wire.Tool.Inputs;
using Wire.Tool.Running;
using Wire.Tool.Walking;

namespace Wire.Tool.Measuring;

/// <summary>
/// Bytes of payloads by type and member: each byte is counted once, for the innermost object around it that has a type. Bounded, whatever
/// the payloads have.
/// </summary>
internal sealed class Statistics
{
    private const int MostRows = 20_000;
    private const int MostStrings = 50_000;
    private const int MostDefinitions = 5000;
    private const int LeastString = 4;
    private const int MostString = 200;
    private const int MostName = 100;
    private const int MostType = 200;
    private const string NoType = "(no type)";

    private readonly List<Owner> _owners = [];
    private readonly Dictionary<PayloadType, string> _names = [];
    private readonly Dictionary<string, string> _members = new(ReferenceEqualityComparer.Instance);
    private readonly Dictionary<(string Member, string Inner), string> _paths = [];

    public long Payloads { get; private set; }

    public long Bytes { get; private set; }

    /// <summary>Gets the bytes of lengths in front of frames.</summary>
    public long FrameBytes { get; private set; }

    /// <summary>Gets the bytes of headers.</summary>
    public long HeaderBytes { get; private set; }

    /// <summary>Gets the bytes of definitions of types.</summary>
    public long DefinitionBytes { get; private set; }

    /// <summary>Gets the number of payloads that are messages of a session.</summary>
    public long SessionMessages { get; private set; }

    /// <summary>Gets the bytes by type.</summary>
    public BoundedTable<string> Types { get; } = new(MostRows);

    /// <summary>Gets the bytes by type and member.</summary>
    public BoundedTable<(string Type, string Member)> Members { get; } = new(MostRows);

    /// <summary>Gets the strings of some length, with the bytes of all times that they occur.</summary>
    public BoundedTable<string> Strings { get; } = new(MostStrings);

    /// <summary>Gets the definitions by the name of their type.</summary>
    public BoundedTable<string> Definitions { get; } = new(MostDefinitions);

    /// <summary>Gets what a session would save, by the name of the type.</summary>
    public DefinitionSavings Savings { get; } = new();

    /// <summary>Counts a payload.</summary>
    public void Add(InputPayload payload, PayloadDocument document)
    {
        Payloads++;
        Bytes += payload.Bytes.Length;
        HeaderBytes++;
        if (payload.Frame > 0)
        {
            FrameBytes += sizeof(uint);
        }

        SessionMessages += (payload.Bytes.Span[0] & 0x04) != 0 ? 1 : 0;
        _names.Clear();
        _members.Clear();
        foreach (PayloadType type in document.Types)
        {
            string name = PlainText.Show(type.ToString(), MostType);
            DefinitionBytes += type.Length;
            Definitions.Add(name, type.Length);
            Savings.Add(type);
        }

        Walk(document);
    }

    private void Walk(PayloadDocument document)
    {
        int definition = 0;
        var walk = new NodeWalk(document.Root);
        while (walk.MoveNext())
        {
            PayloadNode node = walk.Node;
            TakeDefinitions(document, node.Offset, ref definition);
            Close(walk.Depth);
            string? type = NameOf(node);
            Owner around = walk.Depth == 0 ? new Owner(NoType, "") : _owners[^1];
            string member = walk.Part.Kind == PartKind.Member ? MemberOf(around, walk.Part.Name!) : around.Member;
            Owner owner = type is null ? new Owner(around.Type, member) : new Owner(type, "");
            (owner.Start, owner.End) = (node.Offset, node.Offset + node.Length);
            owner.IsNameless = type is null && node.Kind is (PayloadKind.Members or PayloadKind.Union);
            owner.Bytes = node.Length;
            if (walk.Depth > 0)
            {
                around.Bytes -= node.Length;
            }

            if (type is not null)
            {
                Types.Add(type, 0);
            }

            _owners.Add(owner);
            if (node.Kind == PayloadKind.Scalar && node.ScalarType == typeof(string))
            {
                AddString(node);
            }
        }

        TakeDefinitions(document, int.MaxValue, ref definition);
        Close(0);
    }

    // Definitions are no part of the innermost value that they lie in. Those in front of a position are all in values that have begun.
    private void TakeDefinitions(PayloadDocument document, int before, ref int next)
    {
        for (; next < document.Types.Count && document.Types[next].Offset < before; next++)
        {
            PayloadType type = document.Types[next];
            int i = _owners.Count - 1;
            while (i > 0 && (type.Offset < _owners[i].Start || type.Offset >= _owners[i].End))
            {
                i--;
            }

            _owners[i].Bytes -= type.Length;
        }
    }

    // Counts what is left of the values that have ended.
    private void Close(int depth)
    {
        for (int i = _owners.Count - 1; i >= depth; i--)
        {
            Owner owner = _owners[i];
            Types.Add(owner.Type, owner.Bytes, 0);
            Members.Add((owner.Type, owner.Member), owner.Bytes);
            _owners.RemoveAt(i);
        }
    }

    // Members of a struct that has no name are those of the object around it.
    private string MemberOf(Owner around, string name)
    {
        name = Cut(name);
        if (!around.IsNameless || around.Member.Length == 0)
        {
            return name;
        }

        if (around.Member.Length > MostName)
        {
            return around.Member;
        }

        if (!_paths.TryGetValue((around.Member, name), out string? path))
        {
            if (_paths.Count == MostRows)
            {
                _paths.Clear();
            }

            _paths.Add((around.Member, name), path = $"{around.Member}.{name}");
        }

        return path;
    }

    // A payload has a name once, so that it is found by its reference and not by all its characters.
    private string Cut(string name)
    {
        if (name.Length <= MostName)
        {
            return name;
        }

        if (!_members.TryGetValue(name, out string? cut))
        {
            _members.Add(name, cut = string.Concat(name.AsSpan(0, MostName), "..."));
        }

        return cut;
    }

    private string? NameOf(PayloadNode node)
    {
        if (node.Type is not { } type)
        {
            return null;
        }

        if (!_names.TryGetValue(type, out string? name))
        {
            // Types that a variable declares have no name: the members of their objects have the names of those around them.
            name = type.IsNamed ? PlainText.Show(type.ToString(), MostType) : "";
            _names.Add(type, name);
        }

        return name.Length == 0 ? null : name;
    }

    private void AddString(PayloadNode node)
    {
        if (node.Length is > LeastString and <= 2 * MostString)
        {
            string text = node.GetValue<string>()!;
            if (text.Length is >= LeastString and <= MostString)
            {
                Strings.Add(text, node.Length);
            }
        }
    }

    /// <summary>A value that is open, with the bytes of it that are in no other one.</summary>
    /// <param name="type">The type of the innermost object with one.</param>
    /// <param name="member">The member of that.</param>
    private sealed class Owner(string type, string member)
    {
        public string Type => type;

        public string Member => member;

        public bool IsNameless { get; set; }

        public int Start { get; set; }

        public int End { get; set; }

        public long Bytes { get; set; }
    }
}
