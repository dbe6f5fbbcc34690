using System.Net;
using System.Net.Sockets;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Wire.Comparing;
using Wire.Testing;
using Wire.Wolverine;
using Wolverine;
using Wolverine.Transports.Tcp;

namespace Wire.Integrations.Buses.Tests.Wolverine;

/// <summary>The adapter in Wolverine: one host sends to another over a socket.</summary>
public sealed class WolverineTests : IAsyncLifetime
{
    // The types of the handlers are Wolverine's to ask for.
    private static readonly SerializerOptions Handled = new()
    {
        TypeFilter = WireTypeFilter.Default.AllowDerivedFrom<Payment>().AllowDerivedFrom<IPackaging>(),
    };

    private readonly Received _received = new();
    private readonly Inbox<Exception> _failures = new();
    private IHost? _receiver;
    private IHost? _sender;
    private IHost? _json;

    public async Task InitializeAsync()
    {
        int port = FreePort();
        _receiver = await Start(options =>
        {
            options.ListenAtPort(port).UseWireSerialization(Handled);
            options.Discovery.IncludeType(typeof(OrderHandler));
            options.Services.AddSingleton(_received);
            options.Services.AddSingleton<ILoggerProvider>(_ => new FailureLog(_failures));
        });
        _sender = await Start(options =>
        {
            options.UseWireSerialization(Shop.Options);
            options.PublishAllMessages().ToPort(port);
        });
        _json = await Start(options => options.PublishAllMessages().ToPort(port));
    }

    public async Task DisposeAsync()
    {
        foreach (IHost? host in (IHost?[])[_json, _sender, _receiver])
        {
            if (host is not null)
            {
                await host.StopAsync().InTime();
                host.Dispose();
            }
        }
    }

    [Fact]
    public async Task A_received_gets_what_was_sent()
    {
        await Send(_sender!, Shop.Order());

        GraphAssert.Same(Shop.Order(), await _received.Orders.Next(), sharing: true);
    }

    [Fact]
    public async Task A_refused_message_ends_with_the_reason_and_the_next_is_handled()
    {
        await Send(_sender!, new Parcel { Content = new Stranger("somebody") });
        TypeRefusedException error = Assert.IsType<TypeRefusedException>(await _failures.Next());
        Assert.StartsWith(typeof(Stranger).FullName!, error.TypeName, StringComparison.Ordinal);

        await Send(_sender!, new Parcel { Content = new Box(2.5) });
        GraphAssert.Same(new Parcel { Content = new Box(2.5) }, await _received.Parcels.Next());
        Assert.True(_received.Parcels.IsEmpty);
    }

    [Fact]
    public async Task Messages_in_JSON_are_read_too()
    {
        await Send(_json!, new Parcel());

        Assert.Null((await _received.Parcels.Next()).Content);
    }

    [Fact]
    public async Task A_host_may_only_read_Wire()
    {
        int port = FreePort();
        var received = new Received();
        using IHost receiver = await Start(options =>
        {
            options.AddSerializer(new WireMessageSerializer(Handled));
            options.ListenAtPort(port);
            options.Discovery.IncludeType(typeof(OrderHandler));
            options.Services.AddSingleton(received);
        });
        using IHost sender = await Start(options =>
        {
            options.UseWireSerialization(Shop.Options);
            options.PublishAllMessages().ToPort(port);
        });

        await Send(sender, Shop.Order());
        GraphAssert.Same(Shop.Order(), await received.Orders.Next(), sharing: true);
        Assert.Equal("application/json", receiver.Services.GetRequiredService<WolverineOptions>().DefaultSerializer.ContentType);

        await sender.StopAsync().InTime();
        await receiver.StopAsync().InTime();
    }

    [Fact]
    public void A_base_class_or_an_interface_is_read_as_what_was_written()
    {
        var serializer = new WireMessageSerializer(Shop.Options);
        var envelope = new Envelope { Data = serializer.Write(new Envelope(Shop.Order())) };

        GraphAssert.Same(Shop.Order(), serializer.ReadFromData(typeof(OrderEvent), envelope), sharing: true);
        GraphAssert.Same(Shop.Order(), serializer.ReadFromData(typeof(IOrderEvent), envelope), sharing: true);
        GraphAssert.Same(Shop.Order(), serializer.ReadFromData(envelope.Data), sharing: true);
        Assert.Throws<WireFormatException>(() => serializer.ReadFromData(typeof(OrderEvent), new Envelope { Data = [1, 2, 3] }));
    }

    private static async Task Send(IHost host, object message) =>
        await host.Services.GetRequiredService<IServiceScopeFactory>().CreateScope().ServiceProvider
            .GetRequiredService<IMessageBus>().SendAsync(message);

    private static async Task<IHost> Start(Action<WolverineOptions> configure)
    {
        IHost host = Host.CreateDefaultBuilder()
            .ConfigureLogging(log => log.ClearProviders())
            .UseWolverine(options =>
            {
                options.Discovery.DisableConventionalDiscovery();
                options.ApplicationAssembly = typeof(WolverineTests).Assembly;
                configure(options);
            })
            .Build();
        await host.StartAsync().InTime();
        return host;
    }

    private static int FreePort()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        return ((IPEndPoint)listener.LocalEndpoint).Port;
    }
}
