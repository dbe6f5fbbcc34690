using System.Collections;
using System.Runtime.CompilerServices;

namespace Wire;

/// <summary>
/// A table of the types that are in a program's messages, for programs that are trimmed or native code: those have members and code of
/// what their compiler has seen, and a row lets it see a type. It says nothing about what a payload may name: that is <see
/// cref="SerializerOptions.TypeFilter"/>'s to decide. Immutable and thread-safe.
/// </summary>
/// <remarks>
/// A class or collection of classes needs no row where its assembly is kept whole, as the package does with those of the program. A struct,
/// an enum, and a collection with such elements or keys need one in native code: without it, an <see cref="UnsupportedTypeException"/>
/// names the line to add.
/// </remarks>
/// <example>
/// <code>
/// var serializer = new Serializer(new SerializerOptions
/// {
///     Types = [WireRow.Enum&lt;DayOfWeek>(), WireRow.Dictionary&lt;Guid, int>()],
/// });
/// </code>
/// </example>
[CollectionBuilder(typeof(WireTypes), nameof(Create))]
public sealed class WireTypes : IEnumerable<WireTypeRow>
{
    private readonly Dictionary<Type, WireTypeRow> _rows = [];

    private WireTypes()
    {
    }

    /// <summary>Gets the table without rows.</summary>
    public static WireTypes None { get; } = new();

    /// <summary>Gets the number of rows.</summary>
    public int Count => _rows.Count;

    /// <summary>Makes a table; a type that comes twice stands in it once, by its first row that has a function, or else its first.</summary>
    /// <param name="rows">The rows.</param>
    /// <exception cref="ArgumentNullException">One of <paramref name="rows"/> is null.</exception>
    public static WireTypes Create(params ReadOnlySpan<WireTypeRow> rows)
    {
        if (rows.IsEmpty)
        {
            return None;
        }

        var made = new WireTypes();
        foreach (WireTypeRow row in rows)
        {
            ArgumentNullException.ThrowIfNull(row, nameof(rows));
            if (!made._rows.TryAdd(row.Type, row) && row.HasCreation && !made._rows[row.Type].HasCreation)
            {
                made._rows[row.Type] = row;
            }
        }

        return made;
    }

    /// <summary>Makes a table of the rows of several, such as one of each assembly.</summary>
    /// <param name="tables">The tables.</param>
    /// <exception cref="ArgumentNullException">One of <paramref name="tables"/> is null.</exception>
    public static WireTypes Combine(params ReadOnlySpan<WireTypes> tables)
    {
        var rows = new List<WireTypeRow>();
        foreach (WireTypes table in tables)
        {
            ArgumentNullException.ThrowIfNull(table, nameof(tables));
            rows.AddRange(table);
        }

        return Create([.. rows]);
    }

    /// <summary>Returns whether there is a row for a type.</summary>
    /// <param name="type">The type.</param>
    /// <exception cref="ArgumentNullException"><paramref name="type"/> is null.</exception>
    public bool Contains(Type type) => _rows.ContainsKey(type);

    /// <summary>Returns the row of a type; null if it has none.</summary>
    internal WireTypeRow? Find(Type type) => _rows.GetValueOrDefault(type);

    /// <inheritdoc/>
    public IEnumerator<WireTypeRow> GetEnumerator() => _rows.Values.GetEnumerator();

    /// <inheritdoc/>
    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
}
