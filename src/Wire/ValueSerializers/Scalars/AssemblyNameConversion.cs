#pragma warning disable SYSLIB0037, SYSLIB0044 // What is obsolete of an assembly's name has no meaning any more, and is still a part of it.
using System.Reflection;
using System.Runtime.CompilerServices;
using Wire.Types;
using AssemblyHashAlgorithm = System.Configuration.Assemblies.AssemblyHashAlgorithm;
using AssemblyVersionCompatibility = System.Configuration.Assemblies.AssemblyVersionCompatibility;

namespace Wire.ValueSerializers.Scalars;

/// <summary>An AssemblyName: all that it says. Nothing is looked for or loaded.</summary>
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

        // What is not there is not set: that says something of the flags, and so they come behind it.
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

    // None is not the same as an empty one.
    private static ReadOnlyMemory<byte>? Memory(byte[]? bytes) => bytes is null ? default(ReadOnlyMemory<byte>?) : new(bytes);

    // Asked for, it would be made of the key, which need not be a valid one.
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
