using System.Text;

namespace Wire.RabbitMQ.Publishing;

/// <summary>The limit of texts that AMQP writes with one byte for the length.</summary>
internal static class ShortStringLimit
{
    private const int MaxBytes = 255;

    // No character takes more in UTF-8.
    private const int MaxBytesPerCharacter = 3;

    /// <summary>Checks a text: null when nothing is wrong with it.</summary>
    public static ArgumentException? Check(string? text, string name) =>
        text is null ? null
        : !IsWhole(text) ? new ArgumentException(
            $"{name} has an unpaired surrogate, which UTF-8 cannot represent: the broker would get another text.", name)
        : text.Length <= MaxBytes / MaxBytesPerCharacter || Encoding.UTF8.GetByteCount(text) <= MaxBytes
        ? null
        : new ArgumentException($"{name} is {Encoding.UTF8.GetByteCount(text)} bytes long in UTF-8; AMQP allows {MaxBytes}.", name);

    public static string? Checked(string? text, string name) => Check(text, name) is { } wrong ? throw wrong : text;

    private static bool IsWhole(string text)
    {
        ReadOnlySpan<char> rest = text;
        for (int next; (next = rest.IndexOfAnyInRange('\uD800', '\uDFFF')) >= 0; rest = rest[(next + 2)..])
        {
            if (!Rune.TryGetRuneAt(text, text.Length - rest.Length + next, out _))
            {
                return false;
            }
        }

        return true;
    }
}
