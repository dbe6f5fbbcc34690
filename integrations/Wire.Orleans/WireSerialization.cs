using System.Collections.Immutable;
using Microsoft.Extensions.DependencyInjection;
using Orleans.Serialization;
using Orleans.Serialization.Cloning;
using Orleans.Serialization.Configuration;
using Orleans.Serialization.Serializers;

namespace Wire.Orleans;

/// <summary>Registers <see cref="WireCodec"/> with the serializer of a silo or client.</summary>
public static class WireSerialization
{
    /// <summary>
    /// Lets Wire write and copy these types and what derives from them. Payloads may name the same types, the declared types of their
    /// members, and what <see cref="SerializerOptions.TypeFilter"/> allows.
    /// </summary>
    /// <param name="builder">The builder of Orleans' serializer.</param>
    /// <param name="options">The options; their context is the service provider unless they name another.</param>
    /// <param name="types">The classes, base classes and interfaces; those of the core library are for the other overload.</param>
    /// <exception cref="InvalidOperationException">The builder has the codec already.</exception>
    public static ISerializerBuilder AddWireSerializer(
        this ISerializerBuilder builder, SerializerOptions options, params ImmutableArray<Type> types) =>
        builder.AddWireSerializer(
            options with { TypeFilter = types.Aggregate(options.TypeFilter, (filter, type) => filter.AllowDerivedFrom(type)) },
            type => types.Any(allowed => allowed.IsAssignableFrom(type)));

    /// <summary>
    /// Lets Wire write and copy the types that a predicate accepts. Payloads may name what <see cref="SerializerOptions.TypeFilter"/>
    /// allows, and nothing else.
    /// </summary>
    /// <param name="builder">The builder of Orleans' serializer.</param>
    /// <param name="options">The options; their context is the service provider unless they name another.</param>
    /// <param name="isSupported">Says which types Wire writes. Called on any thread; types with a codec of Orleans keep it.</param>
    /// <exception cref="InvalidOperationException">The builder has the codec already.</exception>
    public static ISerializerBuilder AddWireSerializer(
        this ISerializerBuilder builder, SerializerOptions options, Func<Type, bool> isSupported)
    {
        if (builder.Services.Any(service => service.ServiceType == typeof(WireCodec)))
        {
            throw new InvalidOperationException("The codec of Wire is registered already: name all of its types in one call.");
        }

        builder.Services.AddSingleton(services =>
            new WireCodec(options with { Context = options.Context ?? services }, isSupported));
        builder.Services.AddSingleton<IGeneralizedCodec>(services => services.GetRequiredService<WireCodec>());
        builder.Services.AddSingleton<IGeneralizedCopier>(services => services.GetRequiredService<WireCodec>());
        builder.Services.AddSingleton<ITypeFilter>(services => services.GetRequiredService<WireCodec>());
        return builder.Configure(manifest => manifest.WellKnownTypeAliases[WireCodec.Name] = typeof(WireCodec));
    }
}
