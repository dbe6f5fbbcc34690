using System.Diagnostics.CodeAnalysis;
using Wire.Errors;
using Wire.Format;
using Wire.Manifests;

namespace Wire.Sessions;

/// <summary>The errors of type definitions in a payload, and of references to them.</summary>
internal static class ManifestErrors
{
    /// <summary>Refuses an identifier that is not defined.</summary>
    [DoesNotReturn]
    public static Manifest Unknown(uint id, bool isNumbered) => ThrowHelper.Format<Manifest>(
        WireFormatError.UnknownManifest,
        isNumbered
            ? $"The message refers to manifest {id}, which no message that this session has read defines: the one that did was lost, could "
                + "not be read, or was read with another session. A message of a long-lived session has to be read with the "
                + "DeserializerSession that read the messages before it; where one is lost for good, begin new sessions on both sides."
            : $"The payload refers to manifest {id}, which it does not define.");

    /// <summary>Refuses a manifest that is longer than the format allows.</summary>
    [DoesNotReturn]
    public static void TooLong(uint length) => ThrowHelper.Format(
        WireFormatError.Manifest, $"A manifest of {length} bytes is longer than the {ManifestContent.MaxLength} that the format allows.");

    /// <summary>Refuses more manifests than are allowed.</summary>
    public static void CheckNumber(Limits limits, uint number)
    {
        if (number >= (uint)limits.MaxManifests)
        {
            ThrowHelper.Limit(
                nameof(Limits.MaxManifests), limits.MaxManifests, "The number of types that the session, or the payload, defines");
        }
    }

    /// <summary>Refuses definitions that together take more bytes than allowed.</summary>
    public static void CheckBytes(Limits limits, long bytes)
    {
        if (bytes > limits.MaxManifestBytes)
        {
            ThrowHelper.Limit(
                nameof(Limits.MaxManifestBytes),
                limits.MaxManifestBytes,
                "The size of the type definitions of the session or the payload, in bytes,");
        }
    }

    /// <summary>Refuses a message that defines one identifier twice, differently.</summary>
    public static void DefinedTwice(int number, Manifest before, Manifest manifest) => ThrowHelper.Format(
        WireFormatError.Manifest,
        $"The message defines manifest {number} twice, as '{before.DisplayName}' and as '{manifest.DisplayName}'.");

    /// <summary>Refuses a message that contradicts an earlier definition of an identifier.</summary>
    public static void DefinedOtherwise(int number, Manifest before, Manifest manifest) => ThrowHelper.Format(
        WireFormatError.Manifest,
        $"The message defines manifest {number} as '{manifest.DisplayName}', but an earlier message defined it as " +
        $"'{before.DisplayName}'. It is damaged, or comes from another SerializerSession: begin a new session on both sides.");
}
