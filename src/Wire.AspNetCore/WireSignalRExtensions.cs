using System.Diagnostics.CodeAnalysis;
using Microsoft.AspNetCore.SignalR;
using Microsoft.AspNetCore.SignalR.Protocol;
using Microsoft.Extensions.DependencyInjection;
using Wire.Runtime;

namespace Wire.AspNetCore;

/// <summary>
/// Registers <see cref="WireHubProtocol"/>, on a server (<c>AddSignalR()</c>) and on a client (<c>HubConnectionBuilder</c>).
/// </summary>
[RequiresUnreferencedCode(TrimmingAdvice.Trimming)]
[RequiresDynamicCode(TrimmingAdvice.DynamicCode)]
public static class WireSignalRExtensions
{
    /// <summary>Adds the protocol: a server speaks it beside those it has, a client instead of JSON.</summary>
    /// <param name="builder">The builder of the server or the client.</param>
    /// <param name="options">The options; the type filter says what a message may name beside the types that methods declare.</param>
    /// <exception cref="ArgumentException">An option is null, out of range or contradicts another.</exception>
    public static TBuilder AddWireProtocol<TBuilder>(this TBuilder builder, SerializerOptions options)
        where TBuilder : ISignalRBuilder => builder.AddWireProtocol(new Serializer(options));

    /// <inheritdoc cref="AddWireProtocol{TBuilder}(TBuilder, SerializerOptions)"/>
    /// <param name="builder">The builder of the server or the client.</param>
    /// <param name="serializer">The serializer of arguments, items and results.</param>
    public static TBuilder AddWireProtocol<TBuilder>(this TBuilder builder, Serializer serializer)
        where TBuilder : ISignalRBuilder
    {
        ArgumentNullException.ThrowIfNull(builder);
        builder.Services.AddSingleton<IHubProtocol>(new WireHubProtocol(serializer) { IsClient = builder is not ISignalRServerBuilder });
        return builder;
    }
}
