using System.Collections.Concurrent;
using System.Net.Sockets;
using System.Text;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;
using Wire.AspNetCore.Tests.Testing;
using Wire.Testing;

namespace Wire.AspNetCore.Tests.Http;

/// <summary>Clients that go away inside a body or an answer, over TCP: no error of the server.</summary>
public sealed class DisconnectTests
{
    [Theory]
    [InlineData("mirror", false, false)]
    [InlineData("mirror", false, true)]
    [InlineData("mirror", true, false)]
    [InlineData("mirror", true, true)]
    [InlineData("shop/mirror", false, false)]
    [InlineData("shop/mirror", false, true)]
    [InlineData("shop/mirror", true, false)]
    [InlineData("shop/mirror", true, true)]
    public async Task A_client_that_goes_away_inside_its_body_is_no_error(string path, bool isChunked, bool resets)
    {
        (Exception? thrown, string[] errors) = await SendHalfAsync(path, isChunked, resets);

        Assert.Null(thrown);
        Assert.Empty(errors);
    }

    // As of ReadFromJsonAsync, the exception is the handler's, and means no more to Kestrel.
    [Theory]
    [InlineData(false, false)]
    [InlineData(false, true)]
    [InlineData(true, false)]
    public async Task In_a_handler_it_is_an_exception_that_the_server_does_not_log(bool isChunked, bool resets)
    {
        (Exception? thrown, string[] errors) = await SendHalfAsync("read", isChunked, resets);
        (Exception? caught, string[] errorsOfCatching) = await SendHalfAsync("catch", isChunked, resets);

        Assert.True(thrown is IOException or OperationCanceledException, thrown?.ToString());
        Assert.Null(caught);
        Assert.Empty(errors);
        Assert.Empty(errorsOfCatching);
    }

    [Theory]
    [InlineData("large")]
    [InlineData("shop/large")]
    public async Task A_client_that_goes_away_inside_the_answer_is_no_error(string path)
    {
        using var ended = new BlockingCollection<Exception?>();
        await using WebServer server = await StartAsync(ended);
        using (var client = new TcpClient())
        {
            await client.ConnectAsync(server.Address.Host, server.Address.Port);
            await client.GetStream().WriteAsync(Encoding.ASCII.GetBytes(
                $"GET /{path} HTTP/1.1\r\nHost: localhost\r\nAccept: application/x-wire\r\n\r\n"));
            await client.GetStream().ReadExactlyAsync(new byte[10_000]);
            client.LingerState = new LingerOption(true, 0);
        }

        Exception? thrown = TakeEnd(ended);
        await server.DisposeAsync();

        Assert.Null(thrown);
        Assert.Empty(server.Lines.Errors);
    }

    private static async Task<(Exception? Thrown, string[] Errors)> SendHalfAsync(string path, bool isChunked, bool resets)
    {
        using var ended = new BlockingCollection<Exception?>();
        await using WebServer server = await StartAsync(ended);
        using (TcpClient client = await SendHalfAsync(server, path, isChunked))
        {
            client.LingerState = new LingerOption(resets, 0);
        }

        Exception? thrown = TakeEnd(ended);

        // What Kestrel has to say of the connection comes when the request has ended.
        await server.DisposeAsync();
        return (thrown, server.Lines.Errors);
    }

    private static async Task<TcpClient> SendHalfAsync(WebServer server, string path, bool isChunked)
    {
        var client = new TcpClient();
        await client.ConnectAsync(server.Address.Host, server.Address.Port);
        byte[] payload = Shop.Serializer.Serialize(Shop.NewBasket());
        string length = isChunked
            ? $"Transfer-Encoding: chunked\r\n\r\n{payload.Length:x}\r\n"
            : $"Content-Length: {payload.Length}\r\n\r\n";
        NetworkStream stream = client.GetStream();
        await stream.WriteAsync(Encoding.ASCII.GetBytes(
            $"POST /{path} HTTP/1.1\r\nHost: localhost\r\nAccept: application/x-wire\r\nContent-Type: application/x-wire\r\n{length}"));
        await stream.WriteAsync(payload.AsMemory(0, payload.Length / 2));

        // So that the server has read the half, and waits for more.
        await Task.Delay(200);
        return client;
    }

    private static Exception? TakeEnd(BlockingCollection<Exception?> ended)
    {
        Assert.True(ended.TryTake(out Exception? thrown, Patience.Limit));
        return thrown;
    }

    private static Task<WebServer> StartAsync(BlockingCollection<Exception?> ended) => WebServer.StartNewAsync(
        builder =>
        {
            builder.Services.AddWireHttp(Shop.Options);
            builder.Services.AddControllers().AddApplicationPart(typeof(MvcTests).Assembly)
                .AddWireFormatters(Shop.Options, ShopController.Covers);
        },
        application =>
        {
            application.Use(async (context, next) =>
            {
                Exception? thrown = null;
                try
                {
                    await next(context);
                }
                catch (Exception exception)
                {
                    thrown = exception;
                    throw;
                }
                finally
                {
                    ended.Add(thrown);
                }
            });
            application.MapControllers();
            application.MapPost("/mirror", (WireBody<Basket> body) => TypedResults.Extensions.Wire(body.Value));
            application.MapPost("/read", async (HttpContext context) =>
                await context.Response.WriteAsWireAsync(await context.Request.ReadFromWireAsync<Basket>()));
            application.MapPost("/catch", async (HttpContext context) =>
            {
                try
                {
                    await context.Request.ReadFromWireAsync<Basket>();
                }
                catch (Exception exception) when (exception is IOException or OperationCanceledException)
                {
                    context.Response.StatusCode = 400;
                }
            });
            application.MapGet("/large", () => TypedResults.Extensions.Wire(new byte[50_000_000]));
        });
}
