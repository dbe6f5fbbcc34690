using System.Text.Json.Serialization;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.SignalR;
using Microsoft.AspNetCore.SignalR.Client;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;
using Wire.AspNetCore.Tests.Testing;
using Wire.Testing;

namespace Wire.AspNetCore.Tests.SignalR;

/// <summary>Clients may choose the protocol on the hubs that are opened for it, and on no others.</summary>
public sealed class OpenHubTests
{
    [Fact]
    public async Task A_hub_that_is_not_opened_refuses_the_protocol_and_speaks_JSON()
    {
        await using WebServer server = await StartAsync(_ => { });

        await AssertRefusedAsync(server, "other");
        await AssertRefusedAsync(server, "shop");
        Account seen = await InvokeAsync(server, "other", asWire: false);
        Assert.Equal("Ada", seen.Name);
        Assert.Null(seen.Secret); // [JsonIgnore]
    }

    // As a program has its options in other places: none of them opens a hub for what it does not name.
    [Theory]
    [InlineData("wire")]
    [InlineData("WIRE")]
    public async Task The_options_of_all_hubs_open_none(string name)
    {
        await using WebServer server = await StartAsync(
            builder => builder.Services.Configure<HubOptions>(options => options.SupportedProtocols = ["json", name]));

        await AssertRefusedAsync(server, "other");
        Assert.Equal("Ada", (await InvokeAsync(server, "other", asWire: false)).Name);
    }

    [Fact]
    public async Task Other_options_of_a_hub_do_not_open_it()
    {
        await using WebServer server = await StartAsync(
            builder => builder.AddHubOptions<OtherHub>(options => options.EnableDetailedErrors = true));

        await AssertRefusedAsync(server, "other");
        Assert.Equal("Ada", (await InvokeAsync(server, "other", asWire: false)).Name);
    }

    [Fact]
    public async Task Options_without_protocols_open_none()
    {
        await using WebServer server = await StartAsync(
            builder => builder.Services.Configure<HubOptions>(options => options.SupportedProtocols = null));

        await AssertRefusedAsync(server, "other");
    }

    [Fact]
    public async Task An_opened_hub_speaks_both_and_the_others_do_not()
    {
        await using WebServer server = await StartAsync(
            builder => builder.AllowWireProtocol<AccountHub>().AllowWireProtocol<ThirdHub>().AllowWireProtocol<ThirdHub>());

        foreach (string hub in new[] { "shop", "third" })
        {
            Assert.Null((await InvokeAsync(server, hub, asWire: false)).Secret);
            Assert.Equal("of the server", (await InvokeAsync(server, hub, asWire: true)).Secret); // opening means this
        }

        await AssertRefusedAsync(server, "other");
    }

    // SignalR's AddHubOptions sets all options of a hub anew each time.
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Opening_leaves_the_other_options_of_the_hub_alone(bool first)
    {
        await using WebServer server = await StartAsync(builder =>
        {
            if (first)
            {
                builder.AllowWireProtocol<AccountHub>();
            }

            builder.AddHubOptions<AccountHub>(options =>
            {
                options.EnableDetailedErrors = true;
                options.SupportedProtocols = ["json"];
            });
            if (!first)
            {
                builder.AllowWireProtocol<AccountHub>();
            }
        });

        HubOptions<AccountHub> options = server.Services.GetRequiredService<IOptions<HubOptions<AccountHub>>>().Value;
        Assert.True(options.EnableDetailedErrors);
        Assert.Equal(["json", "wire"], options.SupportedProtocols);
        Assert.Equal("of the server", (await InvokeAsync(server, "shop", asWire: true)).Secret);
        Assert.Null((await InvokeAsync(server, "shop", asWire: false)).Secret);
    }

    [Fact]
    public async Task The_options_of_all_hubs_hold_for_one_that_is_opened()
    {
        await using WebServer server = await StartAsync(builder =>
        {
            builder.Services.Configure<HubOptions>(options => options.EnableDetailedErrors = true);
            builder.AllowWireProtocol<AccountHub>();
        });
        await using HubConnection client = NewClient(server, "shop", asWire: true);
        await client.StartAsync().InTime();

        HubException exception = await Assert.ThrowsAsync<HubException>(() => client.InvokeAsync("Fail").InTime());

        Assert.Contains("The account is locked.", exception.Message, StringComparison.Ordinal);
    }

    // The list of a program may be of a fixed size.
    [Fact]
    public async Task Protocols_that_a_program_names_itself_stay()
    {
        await using WebServer server = await StartAsync(builder =>
        {
            builder.Services.Configure<HubOptions>(options => options.SupportedProtocols = new[] { "wire" });
            builder.AllowWireProtocol<AccountHub>();
        });

        await AssertRefusedAsync(server, "other");
        Assert.Equal("of the server", (await InvokeAsync(server, "shop", asWire: true)).Secret);
        await using HubConnection json = NewClient(server, "shop", asWire: false);
        await Assert.ThrowsAnyAsync<Exception>(() => json.StartAsync().InTime());
    }

    private static async Task AssertRefusedAsync(WebServer server, string hub)
    {
        await using HubConnection client = NewClient(server, hub, asWire: true);
        Exception exception = await Assert.ThrowsAnyAsync<Exception>(() => client.StartAsync().InTime());
        Assert.Equal(HubConnectionState.Disconnected, client.State);
        Assert.IsNotType<TimeoutException>(exception);
    }

    private static async Task<Account> InvokeAsync(WebServer server, string hub, bool asWire)
    {
        await using HubConnection client = NewClient(server, hub, asWire);
        await client.StartAsync().InTime();
        return await client.InvokeAsync<Account>("Get").InTime();
    }

    private static HubConnection NewClient(WebServer server, string hub, bool asWire)
    {
        IHubConnectionBuilder builder = new HubConnectionBuilder().WithUrl(new Uri(server.Address, hub));
        return (asWire ? builder.AddWireProtocol(Shop.Options) : builder).Build();
    }

    private static Task<WebServer> StartAsync(Action<ISignalRServerBuilder> configure) => WebServer.StartNewAsync(
        builder => configure(builder.Services.AddSignalR().AddWireProtocol(Shop.Options)),
        application =>
        {
            application.MapHub<AccountHub>("/shop");
            application.MapHub<OtherHub>("/other");
            application.MapHub<ThirdHub>("/third");
        });

    /// <summary>A result with a part that JSON leaves out.</summary>
    public sealed class Account
    {
        public string Name { get; set; } = "Ada";

        [JsonIgnore]
        public string? Secret { get; set; }
    }

    public abstract class Accounts : Hub
    {
        public Account Get() => new() { Secret = "of the server" };

        public void Fail() => throw new InvalidOperationException("The account is locked.");
    }

    public sealed class AccountHub : Accounts;

    public sealed class OtherHub : Accounts;

    public sealed class ThirdHub : Accounts;
}
