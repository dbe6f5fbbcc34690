using System.Diagnostics.CodeAnalysis;
using MassTransit;
using Wire.Runtime;

namespace Wire.MassTransit;

/// <summary>Adds Wire to the serializers of a bus or of one receive endpoint.</summary>
public static class WireConfigurationExtensions
{
    /// <summary>
    /// Writes the messages of a bus with Wire, and reads those that say that Wire wrote them. Messages of other content types are read as
    /// before.
    /// </summary>
    /// <param name="configurator">The bus.</param>
    /// <param name="options">The options of the serializer, with the types that messages may name.</param>
    /// <param name="isDefault">Whether the bus writes with Wire; false to read only.</param>
    /// <exception cref="ArgumentNullException">An argument is null.</exception>
    /// <exception cref="ArgumentException">An option is null, out of range or contradicts another.</exception>
    [RequiresUnreferencedCode(TrimmingAdvice.Trimming)]
    [RequiresDynamicCode(TrimmingAdvice.DynamicCode)]
    public static void UseWireSerializer(this IBusFactoryConfigurator configurator, SerializerOptions options, bool isDefault = true)
    {
        ArgumentNullException.ThrowIfNull(configurator);
        var factory = new WireSerializerFactory(options);
        configurator.AddSerializer(factory, isDefault);
        configurator.AddDeserializer(factory);
    }

    /// <summary>
    /// Writes what the consumers of a receive endpoint send with Wire, and reads the messages that say that Wire wrote them. Messages of
    /// other content types are read as before.
    /// </summary>
    /// <param name="configurator">The receive endpoint.</param>
    /// <param name="options">The options of the serializer, with the types that messages may name.</param>
    /// <param name="isDefault">Whether the endpoint writes with Wire; false to read only.</param>
    /// <exception cref="ArgumentNullException">An argument is null.</exception>
    /// <exception cref="ArgumentException">An option is null, out of range or contradicts another.</exception>
    [RequiresUnreferencedCode(TrimmingAdvice.Trimming)]
    [RequiresDynamicCode(TrimmingAdvice.DynamicCode)]
    public static void UseWireSerializer(this IReceiveEndpointConfigurator configurator, SerializerOptions options, bool isDefault = true)
    {
        ArgumentNullException.ThrowIfNull(configurator);
        var factory = new WireSerializerFactory(options);
        configurator.AddSerializer(factory, isDefault);
        configurator.AddDeserializer(factory);
    }
}
