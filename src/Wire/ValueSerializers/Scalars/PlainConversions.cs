using System.Security.Cryptography;

namespace Wire.ValueSerializers.Scalars;

/// <summary>An EventArgs that is of no class of its own: whether it is the empty one, of which there is one.</summary>
internal sealed class EventArgsConversion : IConversion<EventArgs, bool>
{
    public static bool To(EventArgs value) => ReferenceEquals(value, EventArgs.Empty);

    public static EventArgs From(bool written) => written ? EventArgs.Empty : new EventArgs();
}

/// <summary>A HashAlgorithmName: the name, which the default one has not.</summary>
internal sealed class HashAlgorithmNameConversion : IConversion<HashAlgorithmName, string?>
{
    public static bool NullIsValue => true;

    public static string? To(HashAlgorithmName value) => value.Name;

    public static HashAlgorithmName From(string? written) => new(written);
}
