namespace Wire.Tests.Behaviour.Versions.Changes;

/// <summary>A member of a changed type, between two that stay: bytes that were read wrongly would damage the second.</summary>
internal sealed class Holder<T>
{
    public int Before = 11;
    public T? Value;
    public string? Zulu = "behind";
}
