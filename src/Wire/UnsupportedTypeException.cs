using Wire.Sessions;
using Wire.Types;

namespace Wire;

/// <summary>The program asked to serialize a type that cannot be serialized, with the options it has set.</summary>
public sealed class UnsupportedTypeException : NotSupportedException
{
    private const int MaxName = 300;

    private readonly string _reason;
    private string _place = "";

    internal UnsupportedTypeException(Type type, string reason)
    {
        Type = type;
        _reason = reason;
    }

    internal string Reason => _reason;

    /// <summary>The type that cannot be serialized.</summary>
    public Type Type { get; }

    /// <summary>The members that led from the root to it; empty at the root.</summary>
    public string MemberPath { get; private set; } = "";

    /// <inheritdoc/>
    public override string Message => $"'{Name(Type)}'{_place} cannot be serialized: {_reason}";

    /// <summary>Adds the place; the innermost call that has a path knows it best.</summary>
    internal void Locate(GraphPath path, int last, TypeRegistry registry, Type? root)
    {
        if (MemberPath.Length > 0)
        {
            return;
        }

        MemberPath = path.Describe(last, registry);
        string? owner = path.LastOwner(last, registry);
        string declared = owner is null || root is null || owner == TypeRegistry.NameOfOwner(root) ? "" : $", declared in {Name(owner)}";
        _place = MemberPath.Length > 0 ? $" (in {MemberPath} of {Name(root)}{declared})"
            : root is null || root == Type ? ""
            : $" (in {Name(root)})";
    }

    // That of generic types in each other may be kilobytes.
    private static string Name(object? type) => type?.ToString() is { Length: > MaxName } name ? $"{name[..MaxName]}..." : $"{type}";
}
