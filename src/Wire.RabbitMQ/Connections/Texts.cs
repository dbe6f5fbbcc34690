using Wire.Amqp;

namespace Wire.RabbitMQ.Connections;

/// <summary>Texts of messages as strings.</summary>
internal static class Texts
{
    private const int LongestShown = 256;

    /// <summary>The string; null where there is no text.</summary>
    public static string? Text(this AmqpString text) => text.IsNull ? null : text.ToString();

    /// <summary>The beginning of a text of others, for an error.</summary>
    public static string Beginning(this string text) => text.Length <= LongestShown ? text : $"{text.AsSpan(0, LongestShown)}…";
}
