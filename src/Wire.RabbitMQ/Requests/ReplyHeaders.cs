using System.Text;

namespace Wire.RabbitMQ;

/// <summary>The headers of a reply that says that there is none.</summary>
internal static class ReplyHeaders
{
    /// <summary>The full name of the type of the exception that the handler failed with.</summary>
    public const string Error = "x-wire-error";

    /// <summary>What that exception said.</summary>
    public const string ErrorMessage = "x-wire-error-message";

    /// <summary>How much of it is sent: with all else it has to fit into the one frame of a message's header.</summary>
    public const int MaxMessageLength = 2000;

    public static Dictionary<string, object?> Of(Exception exception)
    {
        string message = exception.Message;
        return new Dictionary<string, object?>
        {
            [Error] = exception.GetType().FullName ?? exception.GetType().Name,
            [ErrorMessage] = message.Length <= MaxMessageLength ? message : message[..MaxMessageLength],
        };
    }

    /// <summary>The text of a header, which the client delivers as bytes; null where there is none.</summary>
    public static string? Text(IDictionary<string, object?>? headers, string name) =>
        headers is not null && headers.TryGetValue(name, out object? value)
            ? value switch
            {
                byte[] bytes => Encoding.UTF8.GetString(bytes),
                string text => text,
                _ => null,
            }
            : null;
}
