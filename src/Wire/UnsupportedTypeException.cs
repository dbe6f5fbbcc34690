using Wire.Sessions;
using Wire.Types;

namespace Wire;

/// <summary>The exception for a type that cannot be serialized with the options in use.</summary>
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

    /// <summary>The members on the way from the root to it; empty at the root.</summary>
    public string MemberPath { get; private set; } = "";

    /// <inheritdoc/>
    public override string Message => $"'{Name(Type)}'{_place} cannot be serialized: {_reason}";

    /// <summary>Adds the location, once: the innermost call with a path has the most precise one.</summary>
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

    // Names of nested generic types may take kilobytes.
    private static string Name(object? type) => type?.ToString() is { Length: > MaxName } name ? $"{name[..MaxName]}..." : $"{type}";
}
