using System.IO.MemoryMappedFiles;

namespace Actors.Trial;

/// <summary>
/// What an actor has received, in memory that outlives its process: so it can be told to the message what a killed process had.
/// </summary>
internal sealed class BlackBox : IDisposable
{
    private const int Size = 4096;

    private readonly MemoryMappedFile _file;
    private readonly MemoryMappedViewAccessor _view;

    public BlackBox(string path)
    {
        _file = MemoryMappedFile.CreateFromFile(path, FileMode.OpenOrCreate, mapName: null, Size);
        _view = _file.CreateViewAccessor();
    }

    /// <summary>Gets or sets what has been received.</summary>
    public Tally Tally
    {
        get
        {
            _view.Read(0, out Tally tally);
            return tally;
        }

        set => _view.Write(0, ref value);
    }

    public void Dispose()
    {
        _view.Dispose();
        _file.Dispose();
    }
}

/// <summary>What has been received of a series of trades.</summary>
internal record struct Tally
{
    /// <summary>How many.</summary>
    public long Received;

    /// <summary>How many had another content than was sent.</summary>
    public long Misread;

    /// <summary>How many did not follow the one before them.</summary>
    public long Gaps;

    /// <summary>The number of the first one.</summary>
    public long First;

    /// <summary>The number of the last one.</summary>
    public long Last;

    /// <summary>Counts a trade.</summary>
    public void Add(Trade trade)
    {
        if (Received++ == 0)
        {
            First = trade.Number;
        }
        else if (trade.Number != Last + 1)
        {
            Gaps++;
        }

        Misread += Trades.IsRight(trade) ? 0 : 1;
        Last = trade.Number;
    }
}
