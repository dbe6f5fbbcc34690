using System.Buffers.Text;
using System.Globalization;

namespace Wire.RabbitMQ;

/// <summary>Names for messages: unique without asking the system for random bytes each time.</summary>
internal static class MessageIds
{
    // Of this process, and of no other.
    private static readonly string Prefix = Base64Url.EncodeToString(Guid.NewGuid().ToByteArray()) + "-";

    private static long _last;

    public static string Next() => string.Create(CultureInfo.InvariantCulture, $"{Prefix}{Interlocked.Increment(ref _last):x}");
}
