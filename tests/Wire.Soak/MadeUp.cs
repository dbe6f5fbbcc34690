using System.Text;

namespace Wire.Soak;

/// <summary>Payloads that name what no program has: every one another type, member or constructed type.</summary>
internal sealed class MadeUp(Serializer serializer)
{
    public const string TypeName = "Soak.Named00000000";

    private const string MemberName = nameof(Named.Member00000000);
    private static readonly string[] Arguments =
    [
        "System.Int32",
        "System.String",
        "System.Guid",
        "System.Decimal",
        "System.DateTime",
        "System.Int64",
        "System.Double",
        "System.Version",
    ];

    private readonly byte[] _named = serializer.Serialize<object>(new Named { Member00000000 = 7 });
    private readonly byte[] _list = serializer.Serialize<object>(new List<int>());

    /// <summary>A payload of a type that has not been named before.</summary>
    public byte[] Type(int number) => Numbered(TypeName, number);

    /// <summary>A payload whose schema has a member that has not been named before.</summary>
    public byte[] Member(int number) => Numbered(MemberName, number);

    /// <summary>A payload of a constructed type, of which there are millions: dictionaries in dictionaries.</summary>
    public byte[] Constructed(int number)
    {
        string type = Arguments[number % Arguments.Length];
        for (number /= Arguments.Length; number > 0; number /= Arguments.Length)
        {
            type = $"System.Collections.Generic.Dictionary`2[[{Arguments[number % Arguments.Length]}],[{type}]]";
        }

        return Renamed($"System.Collections.Generic.List`1[[{type}]]");
    }

    // A header, a tag, the manifest's length, that of the name and one more bit, the name: docs/format.md, clause 6.
    private byte[] Renamed(string name)
    {
        int manifestEnd = 3 + _list[2];
        int nameEnd = 4 + (_list[3] >> 1);
        using var manifest = new MemoryStream();
        using var writer = new BinaryWriter(manifest);
        writer.Write7BitEncodedInt(name.Length << 1);
        writer.Write(Encoding.UTF8.GetBytes(name));
        writer.Write(_list.AsSpan(nameEnd, manifestEnd - nameEnd));
        using var payload = new MemoryStream();
        using var outer = new BinaryWriter(payload);
        outer.Write(_list.AsSpan(0, 2));
        outer.Write7BitEncodedInt((int)manifest.Length);
        outer.Write(manifest.ToArray());
        outer.Write(_list.AsSpan(manifestEnd));
        return payload.ToArray();
    }

    private byte[] Numbered(string name, int number)
    {
        byte[] payload = [.. _named];
        int at = payload.AsSpan().IndexOf(Encoding.UTF8.GetBytes(name));
        Encoding.UTF8.GetBytes($"{number:D8}", payload.AsSpan(at + name.Length - 8, 8));
        return payload;
    }
}
