using System.Net;
using System.Net.Http.Headers;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Metadata;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.DependencyInjection;
using Wire.AspNetCore.Tests.Testing;

namespace Wire.AspNetCore.Tests.Http;

/// <summary>Parameters of minimal APIs that may be missing, or of which there are too many.</summary>
public sealed class BindingTests
{
    [Theory]
    [InlineData("nullable")]
    [InlineData("default")]
    [InlineData("property")]
    public async Task A_body_that_may_be_missing_is_null(string path)
    {
        await using WebServer server = await StartAsync();

        using HttpResponseMessage without = await server.Client.PostAsync(path, null);
        using HttpResponseMessage with = await server.Client.PostAsync(path, WireContent.Create<ShopEvent>(Shop.Order, Shop.Serializer));
        using HttpResponseMessage other = await server.Client.PostAsync(path, new StringContent("text"));
        using var broken = new ByteArrayContent([1]) { Headers = { ContentType = new MediaTypeHeaderValue("application/x-wire") } };
        using HttpResponseMessage refused = await server.Client.PostAsync(path, broken);

        Assert.Equal("none", await without.Content.ReadAsStringAsync());
        Assert.Equal("OrderPlaced", await with.Content.ReadAsStringAsync());
        Assert.Equal(HttpStatusCode.UnsupportedMediaType, other.StatusCode);
        Assert.Equal(HttpStatusCode.BadRequest, refused.StatusCode);
        Assert.True(server.Services.GetRequiredService<EndpointDataSource>().Endpoints
            .Single(endpoint => endpoint.DisplayName!.EndsWith($"/{path}", StringComparison.Ordinal))
            .Metadata.GetRequiredMetadata<IAcceptsMetadata>().IsOptional);
    }

    [Theory]
    [InlineData("required")]
    [InlineData("requiredproperty")]
    public async Task A_body_that_may_not_be_missing_is_status_415(string path)
    {
        await using WebServer server = await StartAsync();

        using HttpResponseMessage response = await server.Client.PostAsync(path, null);

        Assert.Equal(HttpStatusCode.UnsupportedMediaType, response.StatusCode);
    }

    [Fact]
    public async Task An_endpoint_with_two_bodies_is_refused_when_it_is_made()
    {
        await using WebServer server = await WebServer.StartNewAsync(_ => { }, application =>
            application.MapPost("/", (WireBody<ShopEvent> first, WireBody<OrderPlaced> second) => $"{first.Value}{second.Value}"));

        var refused = Assert.Throws<InvalidOperationException>(() => server.Services.GetRequiredService<EndpointDataSource>().Endpoints);

        Assert.Equal(
            "The parameters 'first' and 'second' are both the body of the request, which has one. Declare one WireBody<T>, of a type with "
                + "a member for each.",
            refused.Message);
    }

    private static Task<WebServer> StartAsync() => WebServer.StartNewAsync(
        builder => builder.Services.AddWireHttp(Shop.Options),
        application =>
        {
            application.MapPost("/nullable", (WireBody<ShopEvent>? body) => Name(body));
            application.MapPost("/default", (WireBody<ShopEvent> body = null!) => Name(body));
            application.MapPost("/property", ([AsParameters] Optional parameters) => Name(parameters.Body));
            application.MapPost("/required", (WireBody<ShopEvent> body) => Name(body));
            application.MapPost("/requiredproperty", ([AsParameters] Required parameters) => Name(parameters.Body));
        });

    private static string Name(WireBody<ShopEvent>? body) => body?.Value?.GetType().Name ?? "none";

    /// <summary>Parameters of an endpoint as one.</summary>
    public sealed record Optional(WireBody<ShopEvent>? Body);

    /// <inheritdoc cref="Optional"/>
    public sealed record Required(WireBody<ShopEvent> Body);
}
