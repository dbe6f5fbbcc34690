using System.Net;
using System.Net.Http.Headers;
using System.Net.Http.Json;
using System.Text;
using System.Text.Json;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Mvc;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.DependencyInjection;
using Wire.AspNetCore.Tests.Testing;
using Wire.Comparing;
using BadHttpRequestException = Microsoft.AspNetCore.Http.BadHttpRequestException;

namespace Wire.AspNetCore.Tests.Http;

/// <summary>Bodies and results of minimal APIs on a Kestrel, with HttpClient over loopback.</summary>
public sealed class MinimalApiTests : IAsyncLifetime
{
    private WebServer _server = null!;

    private HttpClient Client => _server.Client;

    public async Task InitializeAsync() => _server = await StartAsync(Shop.Options);

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Theory]
    [InlineData("mirror")]
    [InlineData("read")]
    public async Task A_graph_goes_there_and_back(string path)
    {
        Basket basket = Shop.NewBasket();

        using HttpResponseMessage response = await PostAsync(path, basket);

        Assert.Equal(HttpStatusCode.OK, response.StatusCode);
        Assert.Equal("application/x-wire", response.Content.Headers.ContentType?.ToString());
        Assert.InRange(response.Content.Headers.ContentLength ?? -1, 100, 2000);
        GraphAssert.Same(basket, await response.Content.ReadFromWireAsync<Basket>(Shop.Serializer));
    }

    [Fact]
    public async Task A_body_of_a_base_class_is_read_as_what_it_is()
    {
        Assert.Equal("GiftPlaced", await (await PostAsync<ShopEvent>("name", Shop.Gift)).Content.ReadAsStringAsync());
        Assert.Equal("OrderPlaced", await (await PostAsync<ShopEvent>("name", Shop.Order)).Content.ReadAsStringAsync());
        Assert.Equal("nothing", await (await PostAsync<ShopEvent?>("name", null)).Content.ReadAsStringAsync());
        Assert.Equal("GiftPlaced 3", await (await PostAsync<ShopEvent>("named/3", Shop.Gift)).Content.ReadAsStringAsync());
    }

    [Fact]
    public async Task A_large_body_goes_in_pieces_there_and_back()
    {
        byte[] bytes = new byte[5_000_000];
        new Random(1).NextBytes(bytes);

        using HttpResponseMessage response = await PostAsync<object>("any", bytes);
        using var chunked = new StreamContent(new MemoryStream(Shop.Serializer.Serialize(bytes)));
        chunked.Headers.ContentType = new MediaTypeHeaderValue("application/x-wire");
        using var request = new HttpRequestMessage(HttpMethod.Post, "any") { Content = chunked };
        request.Headers.TransferEncodingChunked = true;
        using HttpResponseMessage second = await Client.SendAsync(request);

        Assert.Equal(bytes, await response.Content.ReadFromWireAsync<byte[]>(Shop.Serializer));
        Assert.Equal(bytes, await second.Content.ReadFromWireAsync<byte[]>(Shop.Serializer));
    }

    [Theory]
    [InlineData("name")]
    [InlineData("named/3")]
    public async Task A_refused_type_is_status_400_and_the_handler_is_not_called(string path)
    {
        using HttpResponseMessage response = await PostAsync<ShopEvent>(path, Shop.Intruder);
        string problem = await AssertProblemAsync(response, HttpStatusCode.BadRequest);

        Assert.StartsWith(
            "The body is no readable application/x-wire: the type 'Wire.AspNetCore.Tests.Testing.Intruder, Wire.AspNetCore.Tests",
            problem,
            StringComparison.Ordinal);
        Assert.Contains("' is not allowed at byte ", problem, StringComparison.Ordinal);
        Assert.DoesNotContain("Allow<", problem, StringComparison.Ordinal);
        Assert.DoesNotContain("TypeFilter", problem, StringComparison.Ordinal);
        Assert.Contains(
            _server.Lines.All,
            line => line.StartsWith($"Wire.AspNetCore: The body of a request to /{path} was refused: ", StringComparison.Ordinal)
                && line.Contains("TypeFilter", StringComparison.Ordinal));
        Assert.Equal("GiftPlaced", await (await PostAsync<ShopEvent>("name", Shop.Gift)).Content.ReadAsStringAsync());
    }

    [Fact]
    public async Task The_path_to_a_refused_member_is_for_the_log_alone()
    {
        using HttpResponseMessage response = await PostAsync("mirror", new Basket { Events = [Shop.Order, Shop.Intruder] });

        Assert.Matches("' is not allowed at byte [0-9]+\\.$", await AssertProblemAsync(response, HttpStatusCode.BadRequest));
        Assert.Contains(_server.Lines.All, line => line.Contains(", in Events[1])", StringComparison.Ordinal));
    }

    [Fact]
    public async Task A_name_of_the_payload_stays_on_the_line()
    {
        byte[] payload = Shop.Serializer.Serialize<object>(Shop.Gift);
        "Ev\n\u001B(0\u202EX"u8.CopyTo(payload.AsSpan(payload.AsSpan().IndexOf("GiftPlaced"u8)));

        using HttpResponseMessage response = await PostAsync("any", payload, "application/x-wire");
        string problem = await AssertProblemAsync(response, HttpStatusCode.BadRequest);
        string line = Assert.Single(_server.Lines.All, line => line.Contains("was refused", StringComparison.Ordinal));

        foreach (string text in new[] { problem, line })
        {
            Assert.Contains("Ev\\u000A\\u001B(0\\u202EX", text, StringComparison.Ordinal);
            Assert.DoesNotContain(text, character => char.IsControl(character) || character == '\u202E');
        }
    }

    [Fact]
    public async Task A_body_that_is_cut_is_status_400_wherever_it_is_cut()
    {
        byte[] payload = Shop.Serializer.Serialize(Shop.NewBasket());
        for (int length = 0; length < payload.Length; length += 7)
        {
            using HttpResponseMessage response = await PostAsync("mirror", payload[..length], "application/x-wire");
            Assert.StartsWith(
                "The body is no readable application/x-wire: ",
                await AssertProblemAsync(response, HttpStatusCode.BadRequest),
                StringComparison.Ordinal);
        }

        using HttpResponseMessage more = await PostAsync("mirror", [.. payload, 0], "application/x-wire");
        Assert.Contains("TrailingBytes", await AssertProblemAsync(more, HttpStatusCode.BadRequest), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_body_with_a_changed_byte_is_never_an_error_of_the_server()
    {
        byte[] payload = Shop.Serializer.Serialize(Shop.NewBasket());
        int refused = 0;
        for (int at = 0; at < payload.Length; at++)
        {
            byte[] changed = [.. payload];
            changed[at] ^= 0xFF;
            using HttpResponseMessage response = await PostAsync("mirror", changed, "application/x-wire");
            Assert.True(response.StatusCode is HttpStatusCode.OK or HttpStatusCode.BadRequest, $"byte {at}: {response.StatusCode}");
            refused += response.StatusCode == HttpStatusCode.BadRequest ? 1 : 0;
        }

        Assert.InRange(refused, payload.Length / 4, payload.Length);
    }

    [Theory]
    [InlineData("mirror", "application/json")]
    [InlineData("mirror", "application/octet-stream")]
    [InlineData("mirror", null)]
    [InlineData("read", "application/json")]
    [InlineData("read", null)]
    public async Task Another_media_type_is_status_415(string path, string? mediaType)
    {
        using HttpResponseMessage response = await PostAsync(path, Shop.Serializer.Serialize(Shop.NewBasket()), mediaType);

        Assert.Equal(HttpStatusCode.UnsupportedMediaType, response.StatusCode);
    }

    [Theory]
    [InlineData("application/x-wire; version=2")]
    [InlineData("Application/X-Wire")]
    public async Task Parameters_and_capitals_of_the_media_type_do_not_matter(string mediaType)
    {
        using HttpResponseMessage response = await PostAsync("mirror", Shop.Serializer.Serialize(Shop.NewBasket()), mediaType);

        Assert.Equal(HttpStatusCode.OK, response.StatusCode);
    }

    // The server's own limit is an exception of its own, which it answers itself.
    [Theory]
    [InlineData("any", true)]
    [InlineData("any", false)]
    [InlineData("read", true)]
    public async Task Beyond_the_limit_of_Kestrel_is_status_413(string path, bool announced)
    {
        await using WebServer server = await StartAsync(Shop.Options, kestrelLimit: 10_000);

        using HttpResponseMessage response = await SendAsync(server, path, 20_000, announced);
        using HttpResponseMessage next = await SendAsync(server, "any", 5_000, announced);

        Assert.Equal(HttpStatusCode.RequestEntityTooLarge, response.StatusCode);
        Assert.Equal(HttpStatusCode.OK, next.StatusCode);
    }

    [Theory]
    [InlineData("any", true)]
    [InlineData("any", false)]
    [InlineData("read", true)]
    [InlineData("read", false)]
    public async Task Beyond_the_limit_of_Wire_is_status_413(string path, bool announced)
    {
        await using WebServer server = await StartAsync(Shop.Options with { Limits = new() { MaxBytes = 10_000 } });

        using HttpResponseMessage response = await SendAsync(server, path, 20_000, announced);
        using HttpResponseMessage next = await SendAsync(server, "any", 5_000, announced);

        Assert.Equal(HttpStatusCode.RequestEntityTooLarge, response.StatusCode);
        Assert.Equal(HttpStatusCode.OK, next.StatusCode);
        if (path == "any")
        {
            Assert.Equal(
                "The body has more than 10000 bytes, which is the limit here.",
                await AssertProblemAsync(response, HttpStatusCode.RequestEntityTooLarge));
        }
    }

    [Fact]
    public async Task Without_options_a_body_may_name_what_the_endpoint_declares()
    {
        await using WebServer server = await StartAsync(null);

        using HttpResponseMessage declared = await server.Client.PostAsync("gift", WireContent.Create(Shop.Gift, Shop.Serializer));
        using HttpResponseMessage derived = await server.Client.PostAsync("name", WireContent.Create(Shop.Gift, Shop.Serializer));

        Assert.Equal("Grace", await declared.Content.ReadAsStringAsync());
        await AssertProblemAsync(derived, HttpStatusCode.BadRequest);
    }

    [Fact]
    public async Task An_endpoint_or_a_group_may_have_a_filter_of_its_own()
    {
        using HttpResponseMessage closed = await PostAsync<ShopEvent>("closed", Shop.Gift);
        using HttpResponseMessage group = await PostAsync<ShopEvent>("group/closed", Shop.Gift);
        using HttpResponseMessage open = await PostAsync<ShopEvent>("name", Shop.Gift);

        await AssertProblemAsync(closed, HttpStatusCode.BadRequest);
        await AssertProblemAsync(group, HttpStatusCode.BadRequest);
        Assert.Equal(HttpStatusCode.OK, open.StatusCode);
    }

    [Fact]
    public async Task Reading_a_body_in_the_handler_throws_what_the_server_answers()
    {
        using HttpResponseMessage response = await PostAsync<object>("read", Shop.Intruder);
        using HttpResponseMessage caught = await PostAsync<object>("caught", Shop.Intruder);

        Assert.Equal(HttpStatusCode.BadRequest, response.StatusCode);
        Assert.Equal("400 TypeRefused", await caught.Content.ReadAsStringAsync());
    }

    [Fact]
    public async Task A_result_has_a_status_and_the_types_of_its_objects()
    {
        using HttpResponseMessage created = await PostAsync<ShopEvent>("created", Shop.Gift);
        using HttpResponseMessage written = await Client.GetAsync("written");

        Assert.Equal(HttpStatusCode.Created, created.StatusCode);
        Assert.Equal(Shop.Gift, await created.Content.ReadFromWireAsync<ShopEvent>(Shop.Serializer));
        Assert.Equal(HttpStatusCode.Accepted, written.StatusCode);
        Assert.Equal(Shop.Order, await written.Content.ReadFromWireAsync<ShopEvent>(Shop.Serializer));
    }

    // However much of it was written before: the client never takes a part for the whole.
    [Theory]
    [InlineData(0)]
    [InlineData(100_000)]
    [InlineData(3_000_000)]
    public async Task A_result_that_cannot_be_written_is_status_500(int before)
    {
        using HttpResponseMessage response = await Client.GetAsync($"unwritable/{before}");
        using HttpResponseMessage next = await PostAsync("mirror", new Basket());

        Assert.Equal(HttpStatusCode.InternalServerError, response.StatusCode);
        Assert.Empty(await response.Content.ReadAsByteArrayAsync());
        Assert.Equal(HttpStatusCode.OK, next.StatusCode);
    }

    [Fact]
    public async Task Descriptions_say_what_an_endpoint_takes_and_gives()
    {
        EndpointMetadataCollection metadata = _server.Services.GetRequiredService<Microsoft.AspNetCore.Routing.EndpointDataSource>()
            .Endpoints.Single(endpoint => endpoint.DisplayName!.EndsWith("/mirror", StringComparison.Ordinal)).Metadata;
        await Task.CompletedTask;

        var accepts = metadata.GetRequiredMetadata<Microsoft.AspNetCore.Http.Metadata.IAcceptsMetadata>();
        Assert.Equal((typeof(Basket), "application/x-wire"), (accepts.RequestType, accepts.ContentTypes.Single()));
        Assert.Equal(
            [(200, typeof(Basket), "application/x-wire"), (400, typeof(ProblemDetails), "application/problem+json")],
            metadata.GetOrderedMetadata<Microsoft.AspNetCore.Http.Metadata.IProducesResponseTypeMetadata>()
                .OrderBy(produces => produces.StatusCode)
                .Select(produces => (produces.StatusCode, produces.Type, produces.ContentTypes.Single())));
    }

    private static async Task<WebServer> StartAsync(SerializerOptions? options, long? kestrelLimit = null) => await WebServer.StartNewAsync(
        builder =>
        {
            if (options is not null)
            {
                builder.Services.AddWireHttp(options);
            }

            builder.Services.Configure<KestrelServerOptions>(kestrel =>
                kestrel.Limits.MaxRequestBodySize = kestrelLimit ?? kestrel.Limits.MaxRequestBodySize);
        },
        Map);

    private static void Map(WebApplication application)
    {
        application.MapPost("/mirror", (WireBody<Basket> body) => TypedResults.Extensions.Wire(body.Value));
        application.MapPost("/any", (WireBody<object> body) => TypedResults.Extensions.Wire(body.Value));
        application.MapPost("/gift", (WireBody<GiftPlaced> body) => body.Value!.Customer);
        application.MapPost("/name", (WireBody<ShopEvent> body) => body.Value?.GetType().Name ?? "nothing");
        application.MapPost("/named/{number}", ([AsParameters] Numbered parameters) =>
            $"{parameters.Body.Value!.GetType().Name} {parameters.Number}");
        application.MapPost("/closed", (WireBody<ShopEvent> body) => body.Value?.GetType().Name).WithWire(SerializerOptions.Default);
        application.MapGroup("/group").WithWire(SerializerOptions.Default).MapPost("/closed", (WireBody<ShopEvent> body) => body.Value!.Id);
        application.MapPost("/created", (WireBody<ShopEvent> body) => TypedResults.Extensions.Wire(body.Value, 201));
        application.MapPost("/read", async (HttpContext context) =>
            await context.Response.WriteAsWireAsync(await context.Request.ReadFromWireAsync<object>()));
        application.MapGet("/written", async (HttpContext context) =>
        {
            context.Response.StatusCode = 202;
            await context.Response.WriteAsWireAsync<ShopEvent>(Shop.Order, Shop.Serializer, context.RequestAborted);
        });
        application.MapPost("/caught", async (HttpContext context) =>
        {
            try
            {
                await context.Request.ReadFromWireAsync<object>();
                return "read";
            }
            catch (BadHttpRequestException exception)
            {
                return $"{exception.StatusCode} {((WireFormatException)exception.InnerException!).Error}";
            }
        });
        application.MapGet("/unwritable/{before}", (int before) =>
            TypedResults.Extensions.Wire<object>(new List<object> { new byte[before], Shop.Unwritable }));
    }

    private Task<HttpResponseMessage> PostAsync<T>(string path, T value) =>
        Client.PostAsync(path, WireContent.Create(value, Shop.Serializer));

    private async Task<HttpResponseMessage> PostAsync(string path, byte[] body, string? mediaType)
    {
        using var content = new ByteArrayContent(body);
        content.Headers.ContentType = mediaType is null ? null : MediaTypeHeaderValue.Parse(mediaType);
        return await Client.PostAsync(path, content);
    }

    private static async Task<HttpResponseMessage> SendAsync(WebServer server, string path, int size, bool announced)
    {
        using var request = new HttpRequestMessage(HttpMethod.Post, path)
        {
            Content = WireContent.Create<object>(new byte[size], Shop.Serializer),
        };
        request.Headers.TransferEncodingChunked = !announced;
        return await server.Client.SendAsync(request);
    }

    private static async Task<string> AssertProblemAsync(HttpResponseMessage response, HttpStatusCode status)
    {
        string text = await response.Content.ReadAsStringAsync();
        Assert.True(response.StatusCode == status, $"{response.StatusCode}: {text}");
        Assert.Equal("application/problem+json", response.Content.Headers.ContentType?.MediaType);
        ProblemDetails problem = JsonSerializer.Deserialize<ProblemDetails>(text, JsonSerializerOptions.Web)!;
        Assert.Equal((int)status, problem.Status);
        return problem.Detail!;
    }

    /// <summary>Parameters of an endpoint as one.</summary>
    public sealed record Numbered(int Number, WireBody<ShopEvent> Body);
}
