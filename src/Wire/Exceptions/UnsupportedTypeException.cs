using Wire.Runtime;

namespace Wire;

/// <summary>The exception for a type that cannot be serialized with the options in use.</summary>
public sealed class UnsupportedTypeException : NotSupportedException
{
    private const int MaxName = 300;

    private readonly string _reason;
    private string _place = "";

    internal UnsupportedTypeException(Type type, string reason, Exception? inner = null)
        : base(null, inner)
    {
        Type = type;
        _reason = reason;
    }

    internal string Reason => _reason;

    /// <summary>Gets whether the reason is that a native program has no code for what would write the type.</summary>
    internal bool IsUnseen { get; init; }

    /// <summary>Gets whether the row that it names is that of the very type that was asked for.</summary>
    internal bool HasRow { get; init; }

    /// <summary>The type that cannot be serialized.</summary>
    public Type Type { get; }

    /// <summary>The members on the way from the root to it; empty at the root.</summary>
    public string MemberPath { get; private set; } = "";

    /// <inheritdoc/>
    public override string Message => $"'{Name(Type)}'{_place} cannot be serialized: {_reason}";

    /// <summary>
    /// Gets the calls that led here, without those inside Wire: the first is the outermost method of Wire, which the program called, unless
    /// the JIT compiler has put that into its caller, or it has only returned a task.
    /// <see cref="System.Diagnostics.StackTrace(Exception)"/> has them all.
    /// </summary>
    public override string? StackTrace => CallerTrace.Of(this, base.StackTrace);

    /// <summary>Makes the same error with the variable in front of the reason.</summary>
    internal UnsupportedTypeException In(string variable) => new(Type, $"it is the type of {variable}; {_reason}", InnerException)
    {
        IsUnseen = IsUnseen,
        HasRow = HasRow,
        MemberPath = MemberPath,
        _place = _place,
    };

    /// <summary>Adds the location, once: the innermost call with a path has the most precise one.</summary>
    /// <param name="memberPath">The members on the way from the root.</param>
    /// <param name="owner">The name of the type that declares the last of them; null where there is none.</param>
    /// <param name="root">The type of the root, if known.</param>
    internal void Locate(string memberPath, string? owner, Type? root)
    {
        if (MemberPath.Length > 0)
        {
            return;
        }

        MemberPath = memberPath;
        string declared = owner is null || root is null || owner == root.NameAsOwner() ? "" : $", declared in {Name(owner)}";
        _place = MemberPath.Length > 0 ? $" (in {MemberPath} of {Name(root)}{declared})"
            : root is null || root == Type ? ""
            : $" (in {Name(root)})";
    }

    // Names of nested generic types may take kilobytes.
    private static string Name(object? type) => type?.ToString() is { Length: > MaxName } name ? $"{name[..MaxName]}..." : $"{type}";
}
