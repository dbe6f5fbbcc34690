using System.Net;
using System.Text.Json;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Mvc;
using Microsoft.Extensions.DependencyInjection;
using Wire.AspNetCore.Tests.Testing;

namespace Wire.AspNetCore.Tests.Http;

/// <summary>
/// Results of which a last part cannot be written: the answer is that of whoever handles the exception, and of nobody else.
/// </summary>
public sealed class UnwritableTests
{
    public static TheoryData<string, int> Results
    {
        get
        {
            var results = new TheoryData<string, int>();
            foreach (int before in new[] { 0, 1000, 100_000, 3_000_000 })
            {
                results.Add($"result/{before}", before);
                results.Add($"written/{before}", before);
                results.Add($"shop/unwritable/{before}", before);
                results.Add($"shop/unwritableresult/{before}", before);
            }

            return results;
        }
    }

    [Theory]
    [MemberData(nameof(Results))]
    public async Task An_exception_handler_answers_alone(string path, int before)
    {
        await using WebServer server = await StartAsync(app => app.UseExceptionHandler());

        using HttpResponseMessage response = await GetAsync(server, path);
        string text = await response.Content.ReadAsStringAsync();

        Assert.Equal(HttpStatusCode.InternalServerError, response.StatusCode);
        Assert.Equal("application/problem+json", response.Content.Headers.ContentType?.MediaType);
        Assert.True(text.Length < 1000, $"{text.Length} bytes, of which {before} are the value's");
        Assert.Equal(500, JsonSerializer.Deserialize<ProblemDetails>(text, JsonSerializerOptions.Web)!.Status);
        Assert.Equal(HttpStatusCode.OK, (await GetAsync(server, "whole")).StatusCode);
    }

    // One that only adds to the response, and does not clear it first.
    [Theory]
    [MemberData(nameof(Results))]
    public async Task A_handler_of_the_program_finds_the_response_as_it_was(string path, int before)
    {
        string found = "nothing";
        await using WebServer server = await StartAsync(app => app.Use(async (context, next) =>
        {
            try
            {
                await next(context);
            }
            catch (UnsupportedTypeException)
            {
                HttpResponse response = context.Response;
                found = $"{response.HasStarted} '{response.ContentType}' {response.ContentLength}";
                response.StatusCode = 503;
                await response.WriteAsync($"no {before}");
            }
        }));

        using HttpResponseMessage response = await GetAsync(server, path);

        Assert.Equal("False '' ", found);
        Assert.Equal(HttpStatusCode.ServiceUnavailable, response.StatusCode);
        Assert.Equal($"no {before}", await response.Content.ReadAsStringAsync());
    }

    [Theory]
    [MemberData(nameof(Results))]
    public async Task Without_a_handler_it_is_status_500_with_no_body(string path, int before)
    {
        await using WebServer server = await StartAsync(_ => { });

        using HttpResponseMessage response = await GetAsync(server, path);

        Assert.Equal(HttpStatusCode.InternalServerError, response.StatusCode);
        Assert.True((await response.Content.ReadAsByteArrayAsync()).Length == 0, $"with {before} bytes before");
    }

    [Theory]
    [InlineData("streamed")]
    [InlineData("shop/streamed")]
    public async Task An_async_iterator_is_refused_with_what_to_do(string path)
    {
        await using WebServer server = await StartAsync(_ => { });

        using HttpResponseMessage response = await GetAsync(server, path);

        Assert.Equal(HttpStatusCode.InternalServerError, response.StatusCode);
        Assert.Contains(server.Lines.All, line => line.Contains(
            "it gives its elements while it runs, and they follow the value: write that with SerializeAsync. Inside of an element of "
                + "another sequence, in a copy and without an await, collect them in a list, for example by await foreach, and write that.",
            StringComparison.Ordinal));
    }

    private static async Task<HttpResponseMessage> GetAsync(WebServer server, string path)
    {
        using var request = new HttpRequestMessage(HttpMethod.Get, path)
        {
            Headers = { Accept = { new("application/x-wire"), new("application/problem+json", 0.5) } },
        };
        return await server.Client.SendAsync(request);
    }

    private static Task<WebServer> StartAsync(Action<WebApplication> handle) => WebServer.StartNewAsync(
        builder =>
        {
            builder.Services.AddWireHttp(Shop.Options);
            builder.Services.AddProblemDetails();
            builder.Services.AddControllers().AddApplicationPart(typeof(MvcTests).Assembly)
                .AddWireFormatters(Shop.Options, ShopController.Covers);
        },
        application =>
        {
            handle(application);
            application.MapControllers();
            application.MapGet("/whole", () => TypedResults.Extensions.Wire(Shop.NewBasket()));
            application.MapGet("/result/{before}", (int before) => TypedResults.Extensions.Wire(New(before), 202));
            application.MapGet("/streamed", () => TypedResults.Extensions.Wire(new ShopController().Streamed()));
            application.MapGet("/written/{before}", (int before, HttpContext context) => context.Response.WriteAsWireAsync(New(before)));
        });

    private static List<object> New(int before) => [new byte[before], Shop.Unwritable];
}
