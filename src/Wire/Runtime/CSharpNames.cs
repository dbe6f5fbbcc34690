namespace Wire.Runtime;

/// <summary>The names of types as C# has them, for error messages.</summary>
internal static class CSharpNames
{
    private static readonly Dictionary<Type, string> Keywords = new()
    {
        [typeof(bool)] = "bool",
        [typeof(byte)] = "byte",
        [typeof(sbyte)] = "sbyte",
        [typeof(short)] = "short",
        [typeof(ushort)] = "ushort",
        [typeof(int)] = "int",
        [typeof(uint)] = "uint",
        [typeof(long)] = "long",
        [typeof(ulong)] = "ulong",
        [typeof(nint)] = "nint",
        [typeof(nuint)] = "nuint",
        [typeof(char)] = "char",
        [typeof(float)] = "float",
        [typeof(double)] = "double",
        [typeof(decimal)] = "decimal",
        [typeof(string)] = "string",
        [typeof(object)] = "object",
    };

    /// <summary>Returns the word that C# has for a type; null when it has none.</summary>
    public static string? KeywordOf(Type type) => Keywords.GetValueOrDefault(type);

    /// <summary>Returns the name of a type without its namespace, such as <c>List&lt;int?&gt;[]</c>.</summary>
    public static string CSharpName(this Type type)
    {
        string ranks = "";
        while (type.IsArray)
        {
            ranks += $"[{new string(',', type.GetArrayRank() - 1)}]";
            type = type.GetElementType()!;
        }

        return Keywords.TryGetValue(type, out string? keyword) ? keyword + ranks
            : Nullable.GetUnderlyingType(type) is { } value ? $"{value.CSharpName()}?{ranks}"
            : NameOf(type) + ranks;
    }

    // The arguments of a nested type are those of the types around it, and its own.
    private static string NameOf(Type type)
    {
        if (type.IsGenericParameter)
        {
            return type.Name;
        }

        var around = new List<Type>();
        for (Type? current = type; current is not null; current = current.DeclaringType)
        {
            around.Insert(0, current);
        }

        Type[] arguments = type.GetGenericArguments();
        int used = 0;
        return string.Join('.', around.Select(part =>
        {
            int all = part.GetGenericArguments().Length;
            int tick = part.Name.IndexOf('`', StringComparison.Ordinal);
            string own = string.Join(", ", arguments[used..all].Select(CSharpName));
            used = all;
            return tick < 0 ? part.Name : $"{part.Name[..tick]}<{own}>";
        }));
    }
}
