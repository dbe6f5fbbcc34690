using System.Text;
using Wire.Amqp.V091;

namespace Wire.RabbitMQ.Requests;

/// <summary>The headers of an error reply.</summary>
internal static class ReplyHeaders
{
    /// <summary>The full name of the type of the exception that the handler failed with.</summary>
    public const string Error = "x-wire-error";

    /// <summary>The message of that exception.</summary>
    public const string ErrorMessage = "x-wire-error-message";

    // The maximal length of each: together they must fit into the single frame of a message's header, and a character takes up to three
    // bytes.
    private const int MostCharacters = 2000;
    private const int ShareOfFrame = 16;

    /// <summary>Makes them.</summary>
    /// <param name="exception">The exception of the handler.</param>
    /// <param name="frameMax">The largest frame of the connection; 0 for no limit.</param>
    public static Dictionary<string, object?> Create(Exception exception, int frameMax)
    {
        int most = frameMax == 0 ? MostCharacters : Math.Min(MostCharacters, frameMax / ShareOfFrame);
        return new Dictionary<string, object?>
        {
            [Error] = Cut(exception.GetType().FullName ?? exception.GetType().Name, most),
            [ErrorMessage] = Cut(exception.Message, most),
        };
    }

    /// <summary>The text of a header; null where there is none.</summary>
    public static string? Text(in FieldTable headers, string name) =>
        headers.TryGetValue(name, out FieldValue value) && value.Type is FieldType.String or FieldType.Bytes
            ? Encoding.UTF8.GetString(value.AsBytes().Span)
            : null;

    private static string Cut(string text, int most) => text.Length <= most ? text : text[..most];
}
