using System.Net;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.DependencyInjection;
using Wire.AspNetCore.Tests.Testing;

namespace Wire.AspNetCore.Tests.Http;

/// <summary>Results whose status says that there is no body.</summary>
public sealed class StatusTests
{
    public static TheoryData<string, string, int> Results
    {
        get
        {
            var results = new TheoryData<string, string, int>();
            foreach (string version in new[] { "1.1", "2.0" })
            {
                foreach (int status in new[] { 204, 205, 304 })
                {
                    results.Add(version, "result", status);
                    results.Add(version, "written", status);
                    results.Add(version, "shop/status", status);
                }
            }

            return results;
        }
    }

    [Theory]
    [MemberData(nameof(Results))]
    public async Task A_status_without_a_body_has_none(string version, string path, int status)
    {
        await using WebServer server = await StartAsync(version == "2.0" ? HttpProtocols.Http2 : HttpProtocols.Http1);

        using HttpResponseMessage response = await GetAsync(server, version, $"{path}/{status}");
        using HttpResponseMessage next = await GetAsync(server, version, $"{path}/202");

        Assert.Equal(status, (int)response.StatusCode);
        Assert.Null(response.Content.Headers.ContentType);
        Assert.Empty(await response.Content.ReadAsByteArrayAsync());
        Assert.Equal(HttpStatusCode.Accepted, next.StatusCode);
        Assert.Equal(Shop.Order, await next.Content.ReadFromWireAsync<OrderPlaced>(Shop.Serializer));
        Assert.DoesNotContain(server.Lines.All, line => line.Contains("exception", StringComparison.OrdinalIgnoreCase));
    }

    // Servers let a program write one of these only by means of their own.
    [Theory]
    [InlineData(100)]
    [InlineData(103)]
    [InlineData(199)]
    public async Task An_interim_status_has_no_body(int status)
    {
        var body = new MemoryStream();
        var context = new DefaultHttpContext { Response = { Body = body } };

        await TypedResults.Extensions.Wire(Shop.Order, status).ExecuteAsync(context);

        HttpResponse response = context.Response;
        Assert.Equal((status, null, null, 0), (response.StatusCode, response.ContentType, response.ContentLength, body.Length));
    }

    private static async Task<HttpResponseMessage> GetAsync(WebServer server, string version, string path)
    {
        using var request = new HttpRequestMessage(HttpMethod.Get, path)
        {
            Headers = { Accept = { new("application/x-wire") } },
            Version = Version.Parse(version),
            VersionPolicy = HttpVersionPolicy.RequestVersionExact,
        };
        return await server.Client.SendAsync(request);
    }

    private static Task<WebServer> StartAsync(HttpProtocols protocols) => WebServer.StartNewAsync(
        builder =>
        {
            builder.WebHost.ConfigureKestrel(kestrel => kestrel.ConfigureEndpointDefaults(endpoint => endpoint.Protocols = protocols));
            builder.Services.AddWireHttp(Shop.Options);
            builder.Services.AddControllers().AddApplicationPart(typeof(MvcTests).Assembly)
                .AddWireFormatters(Shop.Options, ShopController.Covers);
        },
        application =>
        {
            application.MapControllers();
            application.MapGet("/result/{status}", (int status) => TypedResults.Extensions.Wire(Shop.Order, status));
            application.MapGet("/written/{status}", async (int status, HttpContext context) =>
            {
                context.Response.StatusCode = status;
                await context.Response.WriteAsWireAsync(Shop.Order);
            });
        });
}
