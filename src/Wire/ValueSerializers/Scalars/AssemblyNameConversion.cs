#pragma warning disable SYSLIB0037, SYSLIB0044 // The obsolete parts of an assembly's name are still part of it.
using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Runtime.CompilerServices;
using Wire.Types;
using AssemblyHashAlgorithm = System.Configuration.Assemblies.AssemblyHashAlgorithm;
using AssemblyVersionCompatibility = System.Configuration.Assemblies.AssemblyVersionCompatibility;

namespace Wire.ValueSerializers.Scalars;

/// <summary>An AssemblyName: all of its parts. Nothing is looked up or loaded.</summary>
[UnconditionalSuppressMessage("SingleFile", "IL3000", Justification = "The name is the program's own data, wherever it comes from.")]
internal static class AssemblyNameConversion
{
    public static Parts To(TypeRegistry registry, AssemblyName value) => new(
        value.Name,
        value.Version,
        value.CultureInfo is { } culture ? CultureConversion.To(registry, culture) : null,
        Memory(value.GetPublicKey()),
        Memory(PublicKeyToken(value)),
        value.Flags,
        value.ContentType,
        value.ProcessorArchitecture,
        value.HashAlgorithm,
        value.VersionCompatibility,
        value.CodeBase);

    public static AssemblyName From(TypeRegistry registry, Parts written)
    {
        var name = new AssemblyName
        {
            Name = written.Name,
            Version = written.Version,
            CultureInfo = written.Culture is null ? null : registry.Cultures.Get(written.Culture),
            HashAlgorithm = written.HashAlgorithm,
            VersionCompatibility = written.VersionCompatibility,
            CodeBase = written.CodeBase,
        };

        // Missing parts are not set: setting them would change the flags, which therefore come last.
        if (written.PublicKey is { } key)
        {
            name.SetPublicKey(key.ToArray());
        }

        if (written.PublicKeyToken is { } token)
        {
            name.SetPublicKeyToken(token.ToArray());
        }

        name.Flags = written.Flags;
        name.ContentType = written.ContentType;
        name.ProcessorArchitecture = written.ProcessorArchitecture;
        return name;
    }

    // Null differs from empty.
    private static ReadOnlyMemory<byte>? Memory(byte[]? bytes) => bytes is null ? default(ReadOnlyMemory<byte>?) : new(bytes);

    // Its getter would compute it from the key, which may be invalid.
    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_publicKeyToken")]
    private static extern ref byte[]? PublicKeyToken(AssemblyName target);

    internal readonly record struct Parts(
        string? Name,
        Version? Version,
        string? Culture,
        ReadOnlyMemory<byte>? PublicKey,
        ReadOnlyMemory<byte>? PublicKeyToken,
        AssemblyNameFlags Flags,
        AssemblyContentType ContentType,
        ProcessorArchitecture ProcessorArchitecture,
        AssemblyHashAlgorithm HashAlgorithm,
        AssemblyVersionCompatibility VersionCompatibility,
        string? CodeBase);
}
