using System.Collections;
using System.Reflection;
using System.Runtime.CompilerServices;
using Wire.Runtime;

namespace Wire;

/// <summary>
/// A table of the types that are in a program's messages, for programs that are trimmed or native code: those have members and code of
/// what their compiler has seen, and a row lets it see a type. It says nothing about what a payload may name: that is <see
/// cref="SerializerOptions.TypeFilter"/>'s to decide. Immutable and thread-safe.
/// </summary>
/// <remarks>
/// A class or collection of classes needs no row where its assembly is kept whole, as the package does with those of the program. A struct,
/// an enum, and a collection with such elements or keys need one in native code: without it, an <see cref="UnsupportedTypeException"/>
/// names the line to add. A class with <see cref="WireContextAttribute"/> gets its rows from the types that it names, when it is compiled.
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
public abstract class WireTypes : IEnumerable<WireTypeRow>
{
    private Dictionary<Type, WireTypeRow>? _rows;
    private Dictionary<string, Type>? _named;

    /// <summary>Makes a table whose rows are made when something asks for them.</summary>
    protected WireTypes()
    {
    }

    /// <summary>Gets the table without rows.</summary>
    public static WireTypes None { get; } = new Given([]);

    /// <summary>Gets the number of rows.</summary>
    public int Count => Rows.Count;

    // Two threads may make them at once, and get those of one.
    private Dictionary<Type, WireTypeRow> Rows =>
        Volatile.Read(ref _rows) ?? Interlocked.CompareExchange(ref _rows, Indexed(), null) ?? _rows;

    /// <summary>
    /// Makes a table; a type that comes twice stands in it once, with the function of the first row that has one.
    /// </summary>
    /// <param name="rows">The rows.</param>
    /// <exception cref="ArgumentNullException">One of <paramref name="rows"/> is null.</exception>
    public static WireTypes Create(params ReadOnlySpan<WireTypeRow> rows)
    {
        foreach (WireTypeRow row in rows)
        {
            ArgumentNullException.ThrowIfNull(row, nameof(rows));
        }

        return rows.IsEmpty ? None : new Given(rows.ToArray());
    }

    /// <summary>Makes a table of the rows of several, such as one of each assembly.</summary>
    /// <param name="tables">The tables.</param>
    /// <exception cref="ArgumentNullException">One of <paramref name="tables"/> is null.</exception>
    public static WireTypes Combine(params ReadOnlySpan<WireTypes> tables)
    {
        var joined = new List<WireTypes>();
        foreach (WireTypes table in tables)
        {
            ArgumentNullException.ThrowIfNull(table, nameof(tables));
            if (table != None)
            {
                joined.Add(table);
            }
        }

        return joined.Count == 0 ? None : new Joined(joined);
    }

    /// <summary>Returns whether there is a row for a type.</summary>
    /// <param name="type">The type.</param>
    /// <exception cref="ArgumentNullException"><paramref name="type"/> is null.</exception>
    public bool Contains(Type type) => Rows.ContainsKey(type);

    /// <summary>Returns the row of a type; null if it has none.</summary>
    internal WireTypeRow? Find(Type type) => Rows.GetValueOrDefault(type);

    /// <summary>
    /// Returns one of the types that have a row and are not generic, by its own name; null if there is none. Native code finds it sooner
    /// than <see cref="Assembly.GetType(string)"/> does, which compares the name with those of all types of the namespace.
    /// </summary>
    internal Type? Find(string fullName) => (Volatile.Read(ref _named) ?? (_named = Named())).GetValueOrDefault(fullName);

    /// <inheritdoc/>
    public IEnumerator<WireTypeRow> GetEnumerator() => Rows.Values.GetEnumerator();

    /// <inheritdoc/>
    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();

    /// <summary>Makes the rows that something needs: native code all of them, and a program with a JIT compiler none.</summary>
    internal void MakeForNativeCode()
    {
        if (!RuntimeFeature.IsDynamicCodeSupported)
        {
            _ = Rows;
        }
    }

    /// <summary>
    /// Makes the rows. It is called when something asks for them: native code as soon as options have the table, a program with a JIT
    /// compiler perhaps never. Two threads may call it at once.
    /// </summary>
    /// <returns>The rows; a type that comes twice stands in the table once.</returns>
    protected abstract IEnumerable<WireTypeRow> CreateRows();

    private Dictionary<Type, WireTypeRow> Indexed()
    {
        var rows = new Dictionary<Type, WireTypeRow>();
        foreach (WireTypeRow row in CreateRows())
        {
            rows[row.Type] = rows.TryGetValue(row.Type, out WireTypeRow? known) ? known.And(row) : row;
        }

        return rows;
    }

    private Dictionary<string, Type> Named()
    {
        var named = new Dictionary<string, Type>();
        foreach (Type type in Rows.Keys)
        {
            if (!type.IsGenericType && type.OwnName() is { } name)
            {
                named.TryAdd(name, type);
            }
        }

        return named;
    }

    private sealed class Given(WireTypeRow[] rows) : WireTypes
    {
        protected override IEnumerable<WireTypeRow> CreateRows() => rows;
    }

    private sealed class Joined(List<WireTypes> tables) : WireTypes
    {
        protected override IEnumerable<WireTypeRow> CreateRows() => tables.SelectMany(table => table);
    }
}
