using Microsoft.Extensions.Diagnostics.HealthChecks;

namespace Wire.RabbitMQ.Hosting;

/// <summary>The findings of a health check, as far as it has come. Not thread-safe.</summary>
/// <param name="failure">The status of what is wrong.</param>
internal sealed class HealthFindings(HealthStatus failure)
{
    private readonly List<string> _sentences = [];
    private readonly Dictionary<string, object> _data = [];
    private HealthStatus _status = HealthStatus.Healthy;
    private Exception? _exception;

    /// <summary>Adds what is wrong.</summary>
    public void Failed(string sentence, Exception? exception = null) => Add(failure, sentence, exception);

    /// <summary>Adds what is not as it should be, and may come right by itself.</summary>
    public void Degraded(string sentence, Exception? exception = null) =>
        Add(failure > HealthStatus.Degraded ? failure : HealthStatus.Degraded, sentence, exception);

    /// <summary>Adds to the data; a second one of a key under a number.</summary>
    public void Note(string key, object value)
    {
        string free = key;
        for (int i = 2; !_data.TryAdd(free, value); i++)
        {
            free = $"{key} ({i})";
        }
    }

    /// <summary>Returns all of it.</summary>
    public HealthCheckResult ToResult() =>
        new(_status, _sentences.Count == 0 ? "Connected, and all consumers consume." : string.Join(' ', _sentences), _exception, _data);

    private void Add(HealthStatus status, string sentence, Exception? exception)
    {
        // The least is the worst.
        _status = status < _status ? status : _status;
        _sentences.Add(sentence);
        _exception ??= exception;
    }
}
