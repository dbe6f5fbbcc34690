using System.Diagnostics.CodeAnalysis;
using Microsoft.AspNetCore.SignalR;
using Microsoft.AspNetCore.SignalR.Protocol;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Wire.Runtime;

namespace Wire.AspNetCore;

/// <summary>
/// Registers <see cref="WireHubProtocol"/>, on a server (<c>AddSignalR()</c>) and on a client (<c>HubConnectionBuilder</c>).
/// </summary>
[RequiresUnreferencedCode(TrimmingAdvice.Trimming)]
[RequiresDynamicCode(TrimmingAdvice.DynamicCode)]
public static class WireSignalRExtensions
{
    /// <summary>
    /// Adds the protocol. A client speaks it instead of JSON; at a server, clients may choose it on the hubs that
    /// <see cref="AllowWireProtocol{THub}"/> opens, and on no others. Called again, the last serializer is that of all hubs.
    /// </summary>
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
        ArgumentNullException.ThrowIfNull(serializer);
        bool isServer = builder is ISignalRServerBuilder;
        builder.Services.AddSingleton<IHubProtocol>(
            services => new WireHubProtocol(serializer, services.GetService<ILoggerFactory>()) { IsClient = !isServer });
        if (isServer)
        {
            // SignalR gives each hub all protocols that are registered.
            builder.Services.PostConfigure<HubOptions>(
                options => options.SupportedProtocols = options.SupportedProtocols?.Where(name => !IsWire(name)).ToList());
        }

        return builder;
    }

    /// <summary>
    /// Opens a hub for the protocol, beside those that the hub has: any client that reaches the hub may choose it in its handshake.
    /// </summary>
    /// <remarks>
    /// Wire writes and reads the fields of objects. On an open hub all fields of results, items and what the hub sends leave, and a
    /// client sets all fields of arguments: private ones, those of properties without a setter, and those with <c>[JsonIgnore]</c>.
    /// </remarks>
    /// <typeparam name="THub">The hub.</typeparam>
    /// <param name="builder">The builder of the server, to which <c>AddWireProtocol</c> adds the protocol.</param>
    public static ISignalRServerBuilder AllowWireProtocol<THub>(this ISignalRServerBuilder builder)
        where THub : Hub
    {
        ArgumentNullException.ThrowIfNull(builder);

        // AddHubOptions would set the other options of the hub back, and may do so behind this call.
        builder.Services.AddOptions<HubOptions<THub>>().PostConfigure<IOptions<HubOptions>>((hub, all) =>
        {
            IEnumerable<string> names = hub.SupportedProtocols ?? all.Value.SupportedProtocols ?? [];
            hub.SupportedProtocols = [.. names.Where(name => !IsWire(name)), WireHubProtocol.ProtocolName];
        });
        return builder;
    }

    private static bool IsWire(string name) => string.Equals(name, WireHubProtocol.ProtocolName, StringComparison.OrdinalIgnoreCase);
}
