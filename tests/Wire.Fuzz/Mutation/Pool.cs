using System.Text;

namespace Wire.Fuzz.Mutation;

/// <summary>What mutations put into inputs: pieces of other inputs, and pieces that are known for the trouble they make.</summary>
internal sealed class Pool
{
    private const int MaxPieces = 4000;
    private const int MaxPieceBytes = 2000;

    // Refused ones, open ones, odd ones, names of assemblies that lie beside the program and are not loaded, and containers for others.
    private static readonly string[] TypeNames =
    [
        "", ",", "[[", "A", "A, B", "A+B", "System.Int32*", "System.Int32&", "System.Int32[*]", "System.Int32[,,,]", "System.Int32[][,]",
        "System.Void", "System.TypedReference",
        "System.Object", "System.String", "System.Enum", "System.ValueType", "System.Array", "System.Delegate", "System.MulticastDelegate",
        "System.Type", "System.DBNull", "System.DayOfWeek",
        "System.Exception", "System.AggregateException", "System.IO.FileNotFoundException", "System.Text.Json.JsonException",
        "System.Nullable`1[[System.Int32]]", "System.Nullable`1[[System.String]]",
        "System.Nullable`1[[System.Nullable`1[[System.Int32]]]]", "System.Span`1[[System.Int32]]", "System.Collections.Generic.List`1",
        "System.Collections.Generic.Dictionary`2[[System.Int32]]",
        "System.Diagnostics.Process, " +
        "System.Diagnostics.Process", "System.IO.FileInfo", "System.Data.DataSet, " +
            "System.Data.Common", "System.Threading.Thread", "System.Reflection.Assembly",
        "System.Windows.Data.ObjectDataProvider, " +
        "PresentationFramework", "Mono.Cecil.ModuleDefinition, Mono.Cecil", "Perfolizer.Horology.TimeInterval, Perfolizer",
        "Microsoft.VisualStudio.TestPlatform.ObjectModel.TestCase, " +
        "Microsoft.VisualStudio.TestPlatform.ObjectModel", "Newtonsoft.Json.JsonSerializer, Newtonsoft.Json",
        "System.ValueTuple`8[[System.Int32],[System.Int32],[System.Int32],[System.Int32],[System.Int32],[System.Int32]," +
        "[System.Int32],[System.Object]]",
        "System.Collections.Generic.HashSet`1[[System.Object]]", "System.Collections.Generic.SortedSet`1[[System.Object]]",
        "System.Collections.Generic.SortedDictionary`2[[System.Object],[System.Object]]",
        "System.Collections.Generic.Dictionary`2[[System.Object],[System.Object]]",
        "System.Collections.Generic.PriorityQueue`2[[System.Object],[System.Object]]",
        "System.Collections.Generic.LinkedList`1[[System.Object]]",
        "System.Collections.Concurrent.ConcurrentDictionary`2[[System.Object],[System.Object]]", "System.Collections.Hashtable",
        "System.Collections.Immutable.ImmutableDictionary`2[[System.Object],[System.Object]]",
        "System.Collections.Immutable.ImmutableSortedSet`1[[System.Object]]",
        "System.Collections.Frozen.FrozenSet`1[[System.Object]]", "System.Collections.ObjectModel.ReadOnlyCollection`1[[System.Object]]",
        "System.Linq.ILookup`2[[System.Object],[System.Object]]",
        "System.Lazy`1[[System.Object]]", "System.Memory`1[[System.Object]]", "System.Tuple`1[[System.Object]]",
        "System.Runtime.CompilerServices.StrongBox`1[[System.Object]]",
    ];

    private static readonly string[] Containers =
    [
        "{0}[]", "{0}[,]", "{0}[*]", "System.Nullable`1[[{0}]]", "System.Collections.Generic.List`1[[{0}]]",
        "System.Collections.Generic.Dictionary`2[[{0}],[{0}]]", "System.Lazy`1[[{0}]]",
        "System.Collections.Generic.HashSet`1[[{0}]]", "System.Collections.Immutable.ImmutableArray`1[[{0}]]",
        "System.Tuple`2[[{0}],[{0}]]", "System.ValueTuple`1[[{0}]]", "System.Func`1[[{0}]]",
    ];

    private static readonly string[] Texts =
    [
        "", "\0", "a", "tr-TR", "de-CH", "x-made-up", "zz-ZZ-zzzz", "utf-7", "utf-16", "us-ascii", "koi8-r", "Europe/Zurich", "..",
        "http://[", "::1", "fe80::1%7", "a b", "(a+)+$", "(?<n>)", "[", "\\",
        "{", "{\"a\":1,\"a\":2}", "1e400", "\"\\ud800\"", "<a/>", "<a b='1' b='2'/>", "<!DOCTYPE a [<!ENTITY x " +
            "'y'>]><a>&x;</a>", "-1", "99999999999999999999", "Finalize", "MemberwiseClone", ".ctor", ".cctor",
        "op_Implicit", "Item", "<items>", "<exception>", "(System.Int32)", "System.Int32(System.Int32)", "!0", "!!0",
        "System.String, mscorlib", "System.Collections.Generic.List`1[[System.Int32]]",
        new string('[', 500), new string('(', 500), string.Concat(Enumerable.Repeat("<a>", 500)), new string('a', 3000),
    ];

    private readonly Dictionary<PartKind, List<byte[]>> _pieces = [];

    /// <summary>Takes what can be used elsewhere.</summary>
    public void Harvest(Layout layout, Random random)
    {
        foreach (PartKind kind in (ReadOnlySpan<PartKind>)
        [
            PartKind.Tagged,
            PartKind.Untagged,
            PartKind.Shape,
            PartKind.TypeName,
            PartKind.Definition,
            PartKind.Text,
            PartKind.Comparer,
            PartKind.Message,
            PartKind.MemberName,
        ])
        {
            foreach (Part part in layout.Of(kind).Where(part => part.Length is > 0 and <= MaxPieceBytes))
            {
                List<byte[]> pieces = Pieces(kind);
                byte[] piece = layout.Bytes(part).ToArray();
                if (pieces.Count < MaxPieces)
                {
                    pieces.Add(piece);
                }
                else if (random.Next(8) == 0)
                {
                    pieces[random.Next(MaxPieces)] = piece;
                }
            }
        }
    }

    /// <summary>A piece of an earlier input; empty when there is none.</summary>
    public byte[] Pick(PartKind kind, Random random) => Pieces(kind) is { Count: > 0 } pieces ? pieces[random.Next(pieces.Count)] : [];

    /// <summary>The name of a type: one of the list, one of an input, or containers around one.</summary>
    public byte[] TypeName(Random random)
    {
        string name =
            random.Next(2) == 0 ? TypeNames[random.Next(TypeNames.Length)] : Encoding.UTF8.GetString(Pick(PartKind.TypeName, random));
        int levels = random.Next(4) switch { 0 => random.Next(1, 4), 1 => random.Next(1, 30), _ => 0 };
        for (; levels > 0 && name.Length < MaxPieceBytes; levels--)
        {
            name = Containers[random.Next(Containers.Length)].Replace("{0}", name, StringComparison.Ordinal);
        }

        return Encoding.UTF8.GetBytes(name);
    }

    /// <summary>A text, in one byte per character.</summary>
    public byte[] Text(Random random) => random.Next(3) switch
    {
        0 => Pick(PartKind.Text, random),
        1 => TypeName(random),
        _ => Encoding.Latin1.GetBytes(Texts[random.Next(Texts.Length)]),
    };

    private List<byte[]> Pieces(PartKind kind)
    {
        if (!_pieces.TryGetValue(kind, out List<byte[]>? pieces))
        {
            _pieces[kind] = pieces = [];
        }

        return pieces;
    }
}
