namespace Wire.Generator.Tests.Invented;

/// <summary>What a declaration begins with.</summary>
internal enum TypeForm
{
    Class,
    Record,
    Struct,
    RecordStruct,
    Enum,
    Interface,
}

/// <summary>A type that was invented: what is needed to name it, to derive from it, and to know whether code is generated for it.</summary>
/// <param name="index">The number in the batch. A struct has only structs with lower ones in it, and so has a generic type.</param>
/// <param name="form">What it is.</param>
/// <param name="space">The namespace, as in code; empty for none.</param>
/// <param name="outer">The type around it.</param>
/// <param name="name">The name, as in code.</param>
/// <param name="parameters">Its own type parameters, as in code, each with its constraint.</param>
internal sealed class InventedType(
    int index, TypeForm form, string space, InventedType? outer, string name, (string Name, string Constraint)[] parameters)
{
    public int Index => index;

    public TypeForm Form => form;

    public string Space => space;

    public InventedType? Outer => outer;

    /// <summary>Gets the name as in code.</summary>
    public string Name => name;

    /// <summary>Gets the type parameters of its own.</summary>
    public (string Name, string Constraint)[] OwnParameters => parameters;

    /// <summary>Gets the type parameters of the types around it, and its own.</summary>
    public (string Name, string Constraint)[] Parameters { get; } = [.. outer?.Parameters ?? [], .. parameters];

    public bool IsGeneric => Parameters.Length > 0;

    public bool IsStruct => form is TypeForm.Struct or TypeForm.RecordStruct;

    public bool IsClass => form is TypeForm.Class or TypeForm.Record;

    public bool IsAbstract { get; init; }

    public bool IsSealed { get; init; }

    public bool IsReadOnly { get; init; }

    /// <summary>Gets whether only the type around it can name it.</summary>
    public bool IsPrivate { get; init; }

    /// <summary>Gets whether it is sealed, and has no more in it than a flat message may have.</summary>
    public bool IsSmall { get; init; }

    public InventedType? Base { get; init; }

    /// <summary>Gets the base class with its arguments, as in code.</summary>
    public string BaseName { get; init; } = "";

    /// <summary>Gets the names of all members, also those of the base classes, as in code.</summary>
    public HashSet<string> Names { get; } = [];

    /// <summary>Gets the names in payloads of all members.</summary>
    public HashSet<string> Written { get; } = [];

    /// <summary>Gets the properties of the base classes that are still abstract: declarations as of an override.</summary>
    public List<string> Pending { get; } = [];

    public List<string> Members { get; } = [];

    public List<InventedType> Nested { get; } = [];

    /// <summary>Gets or sets the arguments of its constructor, as in code.</summary>
    public string Arguments { get; set; } = "";

    /// <summary>Gets or sets the head of the declaration from the name on.</summary>
    public string Head { get; set; } = "";

    /// <summary>Gets or sets what makes that there is no code for its members; null where there is.</summary>
    public string? Uncoded { get; set; }

    /// <summary>Gets whether code is generated for its members.</summary>
    public bool IsCoded => (IsClass || IsStruct) && !IsAbstract && !IsPrivate && Uncoded is null && Written.Count > 0;

    /// <summary>Gets the name by which reflection finds it.</summary>
    public string FullName
    {
        get
        {
            string own = (name + (parameters.Length > 0 ? $"`{parameters.Length}" : "")).TrimStart('@');
            return outer is not null ? $"{outer.FullName}+{own}"
                : space.Length == 0 ? own
                : $"{space.Replace("@", "", StringComparison.Ordinal)}.{own}";
        }
    }

    /// <summary>Returns the whole name as in code.</summary>
    /// <param name="arguments">The arguments of it and of the types around it.</param>
    public string With(params string[] arguments)
    {
        string[] own = arguments[^parameters.Length..];
        string all = own.Length == 0 ? name : $"{name}<{string.Join(", ", own)}>";
        return outer is not null ? $"{outer.With(arguments[..^parameters.Length])}.{all}"
            : space.Length == 0 ? $"global::{all}"
            : $"global::{space}.{all}";
    }
}
