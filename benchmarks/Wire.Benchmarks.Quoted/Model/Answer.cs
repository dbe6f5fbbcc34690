using MemoryPack;
using MessagePack;
using Orleans;
using PolyType;
using Index = Nerdbank.MessagePack.KeyAttribute;

namespace Bench.Quoted;

/// <summary>
/// An answer on a site of Stack Exchange, with the names that its API has: the message that MessagePack for C# and others before it quote.
/// As there, all members are set, each list has one element, and each text eight characters.
/// </summary>
[MemoryPackable, MessagePackObject, GenerateSerializer, GenerateShape]
public partial class Answer
{
    [Key(0), Index(0), Id(0)]
    public int? question_id { get; set; }

    [Key(1), Index(1), Id(1)]
    public int? answer_id { get; set; }

    [Key(2), Index(2), Id(2)]
    public DateTime? locked_date { get; set; }

    [Key(3), Index(3), Id(3)]
    public DateTime? creation_date { get; set; }

    [Key(4), Index(4), Id(4)]
    public DateTime? last_edit_date { get; set; }

    [Key(5), Index(5), Id(5)]
    public DateTime? last_activity_date { get; set; }

    [Key(6), Index(6), Id(6)]
    public int? score { get; set; }

    [Key(7), Index(7), Id(7)]
    public DateTime? community_owned_date { get; set; }

    [Key(8), Index(8), Id(8)]
    public bool? is_accepted { get; set; }

    [Key(9), Index(9), Id(9)]
    public string? body { get; set; }

    [Key(10), Index(10), Id(10)]
    public ShallowUser? owner { get; set; }

    [Key(11), Index(11), Id(11)]
    public string? title { get; set; }

    [Key(12), Index(12), Id(12)]
    public int? up_vote_count { get; set; }

    [Key(13), Index(13), Id(13)]
    public int? down_vote_count { get; set; }

    [Key(14), Index(14), Id(14)]
    public List<Comment>? comments { get; set; }

    [Key(15), Index(15), Id(15)]
    public string? link { get; set; }

    [Key(16), Index(16), Id(16)]
    public List<string>? tags { get; set; }

    [Key(17), Index(17), Id(17)]
    public bool? upvoted { get; set; }

    [Key(18), Index(18), Id(18)]
    public bool? downvoted { get; set; }

    [Key(19), Index(19), Id(19)]
    public bool? accepted { get; set; }

    [Key(20), Index(20), Id(20)]
    public ShallowUser? last_editor { get; set; }

    [Key(21), Index(21), Id(21)]
    public int? comment_count { get; set; }

    [Key(22), Index(22), Id(22)]
    public string? body_markdown { get; set; }

    [Key(23), Index(23), Id(23)]
    public string? share_link { get; set; }

    internal static Answer Create(Random random) => new()
    {
        question_id = random.Next(),
        answer_id = random.Next(),
        locked_date = random.Date(),
        creation_date = random.Date(),
        last_edit_date = random.Date(),
        last_activity_date = random.Date(),
        score = random.Next(),
        community_owned_date = random.Date(),
        is_accepted = random.Flag(),
        body = random.Word(),
        owner = ShallowUser.Create(random),
        title = random.Word(),
        up_vote_count = random.Next(),
        down_vote_count = random.Next(),
        comments = [Comment.Create(random)],
        link = random.Word(),
        tags = [random.Word()],
        upvoted = random.Flag(),
        downvoted = random.Flag(),
        accepted = random.Flag(),
        last_editor = ShallowUser.Create(random),
        comment_count = random.Next(),
        body_markdown = random.Word(),
        share_link = random.Word(),
    };
}

/// <summary>A comment on an answer.</summary>
[MemoryPackable, MessagePackObject, GenerateSerializer]
public partial class Comment
{
    [Key(0), Index(0), Id(0)]
    public int? comment_id { get; set; }

    [Key(1), Index(1), Id(1)]
    public int? post_id { get; set; }

    [Key(2), Index(2), Id(2)]
    public DateTime? creation_date { get; set; }

    [Key(3), Index(3), Id(3)]
    public PostType? post_type { get; set; }

    [Key(4), Index(4), Id(4)]
    public int? score { get; set; }

    [Key(5), Index(5), Id(5)]
    public bool? edited { get; set; }

    [Key(6), Index(6), Id(6)]
    public string? body { get; set; }

    [Key(7), Index(7), Id(7)]
    public ShallowUser? owner { get; set; }

    [Key(8), Index(8), Id(8)]
    public ShallowUser? reply_to_user { get; set; }

    [Key(9), Index(9), Id(9)]
    public string? link { get; set; }

    [Key(10), Index(10), Id(10)]
    public string? body_markdown { get; set; }

    [Key(11), Index(11), Id(11)]
    public bool? upvoted { get; set; }

    internal static Comment Create(Random random) => new()
    {
        comment_id = random.Next(),
        post_id = random.Next(),
        creation_date = random.Date(),
        post_type = PostType.answer,
        score = random.Next(),
        edited = random.Flag(),
        body = random.Word(),
        owner = ShallowUser.Create(random),
        reply_to_user = ShallowUser.Create(random),
        link = random.Word(),
        body_markdown = random.Word(),
        upvoted = random.Flag(),
    };
}

/// <summary>The author of an answer or a comment.</summary>
[MemoryPackable, MessagePackObject, GenerateSerializer]
public partial class ShallowUser
{
    [Key(0), Index(0), Id(0)]
    public int? user_id { get; set; }

    [Key(1), Index(1), Id(1)]
    public string? display_name { get; set; }

    [Key(2), Index(2), Id(2)]
    public int? reputation { get; set; }

    [Key(3), Index(3), Id(3)]
    public UserType? user_type { get; set; }

    [Key(4), Index(4), Id(4)]
    public string? profile_image { get; set; }

    [Key(5), Index(5), Id(5)]
    public string? link { get; set; }

    [Key(6), Index(6), Id(6)]
    public int? accept_rate { get; set; }

    [Key(7), Index(7), Id(7)]
    public BadgeCount? badge_counts { get; set; }

    internal static ShallowUser Create(Random random) => new()
    {
        user_id = random.Next(),
        display_name = random.Word(),
        reputation = random.Next(),
        user_type = UserType.registered,
        profile_image = random.Word(),
        link = random.Word(),
        accept_rate = random.Next(),
        badge_counts = new() { gold = random.Next(), silver = random.Next(), bronze = random.Next() },
    };
}

/// <summary>The badges of a user.</summary>
[MemoryPackable, MessagePackObject, GenerateSerializer]
public partial class BadgeCount
{
    [Key(0), Index(0), Id(0)]
    public int? gold { get; set; }

    [Key(1), Index(1), Id(1)]
    public int? silver { get; set; }

    [Key(2), Index(2), Id(2)]
    public int? bronze { get; set; }
}

/// <summary>What a comment belongs to.</summary>
public enum PostType : byte
{
    question = 1,
    answer = 2,
}

/// <summary>How a user has come to the site.</summary>
public enum UserType : byte
{
    unregistered = 2,
    registered = 3,
    moderator = 4,
    does_not_exist = 255,
}
