namespace Wire.Contracting;

/// <summary>A variable's declared type in a contract: a key of <see cref="ContractTypes"/>, a built-in type, or an array.</summary>
/// <param name="Type">The type in words of C#, without a question mark.</param>
/// <param name="MayBeNull">True for a nullable value type, and for a reference that its declaration allows to be null.</param>
internal sealed record ContractVariable(string Type, bool MayBeNull)
{
    /// <summary>Reads a variable from words.</summary>
    public static ContractVariable Parse(string words) =>
        words.EndsWith('?') ? new(words[..^1], true) : new(words, false);

    /// <inheritdoc/>
    public override string ToString() => MayBeNull ? Type + "?" : Type;
}
