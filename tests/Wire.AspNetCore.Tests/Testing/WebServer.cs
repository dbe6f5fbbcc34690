using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Features;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace Wire.AspNetCore.Tests.Testing;

/// <summary>A Kestrel on a port of its own on loopback, with a client.</summary>
internal sealed class WebServer : IAsyncDisposable
{
    private readonly WebApplication _application;

    private WebServer(WebApplication application, LogLines lines)
    {
        _application = application;
        Lines = lines;
        Address = new Uri(
            application.Services.GetRequiredService<IServer>().Features.Get<IServerAddressesFeature>()!.Addresses.Single());
        Client = new HttpClient { BaseAddress = Address, Timeout = Wire.Testing.Patience.Limit };
    }

    public Uri Address { get; }

    public HttpClient Client { get; }

    public LogLines Lines { get; }

    public IServiceProvider Services => _application.Services;

    public static async Task<WebServer> StartNewAsync(Action<WebApplicationBuilder> build, Action<WebApplication> map)
    {
        var lines = new LogLines();
        WebApplicationBuilder builder = WebApplication.CreateSlimBuilder();
        builder.WebHost.UseUrls("http://127.0.0.1:0");
        builder.Logging.ClearProviders().AddProvider(lines);
        build(builder);
        WebApplication application = builder.Build();
        map(application);
        await application.StartAsync();
        return new WebServer(application, lines);
    }

    public async ValueTask DisposeAsync()
    {
        Client.Dispose();
        await _application.DisposeAsync();
    }
}
