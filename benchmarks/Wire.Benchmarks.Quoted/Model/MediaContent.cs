using MemoryPack;
using MessagePack;
using Orleans;
using PolyType;
using Index = Nerdbank.MessagePack.KeyAttribute;

namespace Bench.Quoted;

/// <summary>A video with two pictures of it: the message of jvm-serializers, which Kryo and Apache Fory quote, with its values.</summary>
[MemoryPackable, MessagePackObject, GenerateSerializer, GenerateShape]
public partial class MediaContent
{
    [Key(0), Index(0), Id(0)]
    public Media Media { get; set; } = null!;

    [Key(1), Index(1), Id(1)]
    public List<Image> Images { get; set; } = null!;

    internal static MediaContent Create() => new()
    {
        Media = new()
        {
            Uri = "http://javaone.com/keynote.mpg",
            Title = "Javaone Keynote",
            Width = 640,
            Height = 480,
            Format = "video/mpg4",
            Duration = 18_000_000,
            Size = 58_982_400,
            Bitrate = 262_144,
            HasBitrate = true,
            Persons = ["Bill Gates", "Steve Jobs"],
            Player = Player.Java,
        },
        Images =
        [
            new()
            {
                Uri = "http://javaone.com/keynote_large.jpg",
                Title = "Javaone Keynote",
                Width = 1024,
                Height = 768,
                Size = ImageSize.Large,
            },
            new()
            {
                Uri = "http://javaone.com/keynote_small.jpg",
                Title = "Javaone Keynote",
                Width = 320,
                Height = 240,
                Size = ImageSize.Small,
            },
        ],
    };
}

/// <summary>A video.</summary>
[MemoryPackable, MessagePackObject, GenerateSerializer]
public partial class Media
{
    [Key(0), Index(0), Id(0)]
    public string Uri { get; set; } = null!;

    [Key(1), Index(1), Id(1)]
    public string? Title { get; set; }

    [Key(2), Index(2), Id(2)]
    public int Width { get; set; }

    [Key(3), Index(3), Id(3)]
    public int Height { get; set; }

    [Key(4), Index(4), Id(4)]
    public string Format { get; set; } = null!;

    [Key(5), Index(5), Id(5)]
    public long Duration { get; set; }

    [Key(6), Index(6), Id(6)]
    public long Size { get; set; }

    [Key(7), Index(7), Id(7)]
    public int Bitrate { get; set; }

    [Key(8), Index(8), Id(8)]
    public bool HasBitrate { get; set; }

    [Key(9), Index(9), Id(9)]
    public List<string> Persons { get; set; } = null!;

    [Key(10), Index(10), Id(10)]
    public Player Player { get; set; }

    [Key(11), Index(11), Id(11)]
    public string? Copyright { get; set; }
}

/// <summary>A picture.</summary>
[MemoryPackable, MessagePackObject, GenerateSerializer]
public partial class Image
{
    [Key(0), Index(0), Id(0)]
    public string Uri { get; set; } = null!;

    [Key(1), Index(1), Id(1)]
    public string? Title { get; set; }

    [Key(2), Index(2), Id(2)]
    public int Width { get; set; }

    [Key(3), Index(3), Id(3)]
    public int Height { get; set; }

    [Key(4), Index(4), Id(4)]
    public ImageSize Size { get; set; }
}

/// <summary>What plays a video.</summary>
public enum Player
{
    Java,
    Flash,
}

/// <summary>How large a picture is.</summary>
public enum ImageSize
{
    Small,
    Large,
}
