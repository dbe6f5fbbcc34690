using System.Buffers.Binary;
using System.Security.Cryptography;
using System.Text;
using Wire.Tool.Running;
using Wire.Tool.Walking;

namespace Wire.Tool.Measuring;

/// <summary>The bytes that definitions of types would not take with known types, or in a session.</summary>
internal sealed class DefinitionSavings
{
    private const int MostTypes = 5000;

    // The identifier in front of a definition, and the check behind it.
    private const int AroundDefinition = 1 + sizeof(uint);

    // By the hashes of their names and schemas, which may be long.
    private readonly HashSet<UInt128> _defined = [];

    /// <summary>Gets the bytes of names, which known types do without, by type.</summary>
    public BoundedTable<string> KnownTypes { get; } = new(MostTypes);

    /// <summary>Gets the bytes of definitions behind the first one of each type, which a session does without.</summary>
    public long Session { get; private set; }

    /// <summary>Counts a definition.</summary>
    public void Add(PayloadType type)
    {
        if (type.Name is { } text)
        {
            int bytes = Encoding.UTF8.GetByteCount(text);
            KnownTypes.Add(PlainText.Show(text), bytes + NodeFacts.VarintSize(2L * bytes) - 1);
        }

        UInt128 hash = HashOf(type);
        if (_defined.Contains(hash))
        {
            // The identifier takes a byte.
            Session += type.Length - 1;
        }
        else if (_defined.Count < MostTypes)
        {
            _defined.Add(hash);
            Session -= AroundDefinition;
        }
    }

    private static UInt128 HashOf(PayloadType type)
    {
        byte[] hash = SHA256.HashData(Encoding.UTF8.GetBytes($"{type}\0{type.Schema}"));
        return BinaryPrimitives.ReadUInt128LittleEndian(hash);
    }
}
